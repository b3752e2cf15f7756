/* icuuc.dll: Qt looks in it for rare encodings and is told that there are none. Wine 8 has no such
   file. The other names that Qt imports lead to `absent`. */

void *absent(void) {
    return 0;
}

void *ucnv_open(const char *name, int *error) {
    const int file_access_error = 4;
    if (error)
        *error = file_access_error;
    return 0;
}
