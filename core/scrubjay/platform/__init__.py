"""The computer: paths, files, keychain and network."""
