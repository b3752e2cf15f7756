#!/usr/bin/env bash
# Signs dist/Scrubjay.app, puts it into a disk image, and has the image notarised.
#
# Without CODESIGN_IDENTITY the app is signed for this machine only (ad hoc), and without
# NOTARY_PROFILE nothing is sent to Apple. Such an image is only for testing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

version=$(.venv/bin/python -c 'import sys; sys.path.insert(0, "packaging"); import versions; print(versions.version())')
app=dist/Scrubjay.app
image="dist/Scrubjay-$version-macos-$(uname -m).dmg"
identity=${CODESIGN_IDENTITY:--}

# Sign the contents first, because the signature of the app covers them.
find "$app/Contents" -type f \( -name '*.dylib' -o -name '*.so' \) -print0 |
  xargs -0 codesign --force --timestamp --options runtime --sign "$identity"
for program in scrubjay scrubjay-desktop; do
  codesign --force --timestamp --options runtime --sign "$identity" \
    --entitlements packaging/macos/entitlements.plist "$app/Contents/MacOS/$program"
done
codesign --force --timestamp --options runtime --sign "$identity" \
  --entitlements packaging/macos/entitlements.plist "$app"
codesign --verify --deep --strict "$app"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R "$app" "$folder/"
ln -s /Applications "$folder/Applications"
rm -f "$image"
hdiutil create -quiet -volname "Scrubjay $version" -srcfolder "$folder" -format UDZO "$image"
if [ "$identity" != - ]; then
  codesign --force --timestamp --sign "$identity" "$image"
fi
if [ -n "${NOTARY_PROFILE:-}" ]; then
  xcrun notarytool submit "$image" --keychain-profile "$NOTARY_PROFILE" --wait
  xcrun stapler staple "$image"
fi
echo "$image"
