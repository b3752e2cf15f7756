#!/usr/bin/env bash
# Signs dist/Scrubjay.app, puts it into a disk image, and has the image notarised.
#
# Without CODESIGN_IDENTITY the app is signed for this machine only (ad hoc), and without
# NOTARY_PROFILE nothing is sent to Apple. Such an image is only for testing. See "Notarizing macOS
# software before distribution" in Apple's documentation, codesign(1) and hdiutil(1).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

version=$(.venv/bin/python -c 'import sys; sys.path.insert(0, "packaging"); import versions; print(versions.version())')
app=dist/Scrubjay.app
image="dist/Scrubjay-$version-macos-$(uname -m).dmg"
identity=${CODESIGN_IDENTITY:--}
sign=(codesign --force --options runtime --sign "$identity")
if [ "$identity" != - ]; then
  sign+=(--timestamp)
fi

.venv/bin/python packaging/mach_o.py "$app"

# Sign the contents first, because the signature of the app covers them. Not every library has an
# ending: those in frameworks, such as QtCore and Python, are found by their content.
find "$app/Contents" -type f ! -path '*/MacOS/*' -print0 | while IFS= read -r -d '' file; do
  if file -b "$file" | grep -q '^Mach-O'; then
    "${sign[@]}" "$file"
  fi
done
for program in scrubjay scrubjay-desktop; do
  "${sign[@]}" --entitlements packaging/macos/entitlements.plist "$app/Contents/MacOS/$program"
done
"${sign[@]}" --entitlements packaging/macos/entitlements.plist "$app"
codesign --verify --deep --strict "$app"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R "$app" "$folder/"
ln -s /Applications "$folder/Applications"
rm -f "$image"
# Right after the copy, the search index of macOS may still have the folder open.
for pause in 5 15 0; do
  if hdiutil create -quiet -volname "Scrubjay $version" -srcfolder "$folder" -format UDZO "$image"; then
    break
  elif [ "$pause" = 0 ]; then
    echo "The disk image could not be made." >&2
    exit 1
  fi
  rm -f "$image"
  sleep "$pause"
done
if [ "$identity" != - ]; then
  codesign --force --timestamp --sign "$identity" "$image"
fi
if [ -n "${NOTARY_PROFILE:-}" ]; then
  xcrun notarytool submit "$image" --keychain-profile "$NOTARY_PROFILE" --wait
  xcrun stapler staple "$image"
fi
echo "$image"
