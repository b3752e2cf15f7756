; Installer for one person, without administrator rights. packaging/windows_packages.py runs makensis
; with these definitions:
;   VERSION, NUMBERS (four, as Windows wants), APP_ID, FILES (a script with the list of files), ICON,
;   LICENCE, KILOBYTES (size of the unpacked program) and TARGET_FILE. SIGN is the command that signs
;   a file.
Unicode true
!ifdef PROCESSOR
  Target ${PROCESSOR}
!endif
!ifdef FAST
  SetCompressor zlib
!else
  SetCompressor /SOLID lzma
  SetCompressorDictSize 64
!endif
SetDateSave off
ManifestDPIAware true
ManifestSupportedOS Win10
RequestExecutionLevel user
AllowSkipFiles off
ShowInstDetails nevershow
ShowUninstDetails nevershow

!include MUI2.nsh
!include LogicLib.nsh
!include FileFunc.nsh
!include Sections.nsh
!include WinVer.nsh
!include x64.nsh
!include Win\COM.nsh
!include Win\Propkey.nsh
!include "${FILES}"

!define OWN_KEY "Software\Scrubjay"
!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Scrubjay"
!define RUN_KEY "Software\Microsoft\Windows\CurrentVersion\Run"
!define UNINSTALLER "uninstall-scrubjay.exe"
; What a person turned off in Task Manager is kept there.
!define APPROVED_KEY "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
!define APP '"$INSTDIR\scrubjay-desktop.exe"'

; Exit codes of a silent installation and removal, as docs/packaging.md lists them.
!define EXIT_IN_USE 3
!define EXIT_FOREIGN_FOLDER 4
!define EXIT_OLD_VERSION 5
!define EXIT_SETTINGS 6
!define EXIT_SYSTEM 7
; Builds of Windows 10 1809, the first that Qt supports, and of Windows 11, which runs programs for
; processors of Intel and AMD on ARM.
!define FIRST_BUILD 17763
!define FIRST_BUILD_ON_ARM 22000

Name "Scrubjay"
BrandingText "Scrubjay ${VERSION}"
OutFile "${TARGET_FILE}"
InstallDir "$LOCALAPPDATA\Programs\Scrubjay"
InstallDirRegKey HKCU "${OWN_KEY}" "Folder"
VIProductVersion "${NUMBERS}"
VIFileVersion "${NUMBERS}"
VIAddVersionKey /LANG=0 "ProductName" "Scrubjay"
VIAddVersionKey /LANG=0 "ProductVersion" "${VERSION}"
VIAddVersionKey /LANG=0 "FileDescription" "Scrubjay Setup"
VIAddVersionKey /LANG=0 "FileVersion" "${VERSION}"
VIAddVersionKey /LANG=0 "CompanyName" "Scrubjay maintainers"
VIAddVersionKey /LANG=0 "LegalCopyright" "MIT License"
!ifdef SIGN
  !finalize '${SIGN} "%1"' = 0
  !uninstfinalize '${SIGN} "%1"' = 0
!endif

; -- Pages ---------------------------------------------------------------------------------------

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN "$INSTDIR\scrubjay-desktop.exe"
!define MUI_FINISHPAGE_RUN_TEXT "$(OPEN_APP)"
!insertmacro MUI_PAGE_LICENSE "${LICENCE}"
!insertmacro MUI_PAGE_COMPONENTS
!define MUI_PAGE_CUSTOMFUNCTION_LEAVE refuseForeignFolder
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_COMPONENTS
!insertmacro MUI_UNPAGE_INSTFILES

; The language of Windows is taken if it is one of these, and otherwise the first.
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "Spanish"

!macro TEXT NAME ENGLISH SPANISH
  LangString ${NAME} ${LANG_ENGLISH} "${ENGLISH}"
  LangString ${NAME} ${LANG_SPANISH} "${SPANISH}"
!macroend
!insertmacro TEXT PROGRAM "Scrubjay" "Scrubjay"
!insertmacro TEXT OPEN_APP "Open Scrubjay" "Abrir Scrubjay"
!insertmacro TEXT AUTOSTART "Start when I log in" "Arrancar al iniciar sesión"
!insertmacro TEXT DESKTOP "Desktop shortcut" "Acceso directo en el escritorio"
!insertmacro TEXT TERMINAL "Terminal command" "Orden para la terminal"
!insertmacro TEXT SETTINGS "Also remove settings" "Quitar también los ajustes"
!insertmacro TEXT ABOUT_PROGRAM \
  "The app, the command for terminals and the built-in language helper." \
  "La aplicación, la orden para la terminal y el ayudante de idioma incluido."
!insertmacro TEXT ABOUT_AUTOSTART \
  "Starts Scrubjay in the background when you log in to Windows." \
  "Arranca Scrubjay en segundo plano cuando inicias sesión en Windows."
!insertmacro TEXT ABOUT_DESKTOP \
  "Adds a shortcut to your desktop." \
  "Añade un acceso directo a tu escritorio."
!insertmacro TEXT ABOUT_TERMINAL \
  "Adds the Scrubjay folder to your PATH, so that you can run scrubjay in a terminal." \
  "Añade la carpeta de Scrubjay a tu PATH para que puedas ejecutar scrubjay en una terminal."
!insertmacro TEXT ABOUT_REMOVAL \
  "Removes the program and its entries in the settings of your agents." \
  "Quita el programa y sus entradas en los ajustes de tus agentes."
!insertmacro TEXT ABOUT_SETTINGS \
  "Also removes settings, search indexes, downloaded language helpers, keys and logs. Your notes stay." \
  "Quita también los ajustes, los índices de búsqueda, los ayudantes de idioma descargados, las claves y los registros. Tus notas se conservan."
!insertmacro TEXT IN_USE \
  "Scrubjay is still in use. Close Scrubjay, the agents that use it, and any programs that have its files open. Then choose Retry." \
  "Scrubjay todavía está en uso. Cierra Scrubjay, los agentes que lo usan y los programas que tienen abiertos sus archivos. Después elige Reintentar."
!insertmacro TEXT FOREIGN_FOLDER \
  "The folder $INSTDIR contains other files. Choose an empty folder or a new one." \
  "La carpeta $INSTDIR contiene otros archivos. Elige una carpeta vacía o una nueva."
!insertmacro TEXT OTHER_START \
  "Another copy of Scrubjay is set to start when you log in: $R1. Start this copy instead?" \
  "Al iniciar sesión se inicia otra copia de Scrubjay: $R1. ¿Quieres iniciar esta copia en su lugar?"
!insertmacro TEXT WRONG_SYSTEM \
  "Scrubjay needs 64-bit Windows 10, version 1809 or later. On an ARM processor, it needs Windows 11." \
  "Scrubjay necesita Windows 10 de 64 bits, versión 1809 o posterior. En un procesador ARM, necesita Windows 11."
!insertmacro TEXT OLD_VERSION \
  "The earlier version could not be removed. Restart Windows, then run this installer again." \
  "No se pudo quitar la versión anterior. Reinicia Windows y vuelve a ejecutar este instalador."
!insertmacro TEXT SETTINGS_STAYED \
  "Scrubjay was removed, but some of its settings were not. The documentation page “Uninstall Scrubjay” lists the folders that contain them." \
  "Scrubjay se quitó, pero no se pudieron quitar algunos de sus ajustes. La página de la documentación sobre la desinstalación indica en qué carpetas están."

; -- Installation and removal --------------------------------------------------------------------

Var Running ; 1 if the app ran when it was asked to quit
Var Folder ; of the version that is removed
Var Busy ; name of a program or file that is in use; empty for none
Var Earlier ; folder of the version that was installed before; empty for none
Var Start ; whose command Windows starts at login: "own", "other", or empty for none
Var WasOn ; 1 if this copy started at login before

; Sets $Start, and $R1 to the command. A command of the version before is that of this copy.
!macro READ_START
  ReadRegStr $R1 HKCU "${RUN_KEY}" "Scrubjay"
  StrCpy $Start "other"
  ${If} $R1 == ""
    StrCpy $Start ""
  ${EndIf}
  !insertmacro RECOGNIZE_START $INSTDIR
  !insertmacro RECOGNIZE_START $Earlier
!macroend

!macro RECOGNIZE_START PLACE
  StrLen $R2 '"${PLACE}\scrubjay-desktop.exe"'
  StrCpy $R3 $R1 $R2
  ${If} $R3 == '"${PLACE}\scrubjay-desktop.exe"'
    StrCpy $Start "own"
  ${EndIf}
!macroend

!macro WRITE_START
  WriteRegStr HKCU "${RUN_KEY}" "Scrubjay" '${APP} --background'
!macroend

!macro REMOVE_START
  DeleteRegValue HKCU "${RUN_KEY}" "Scrubjay"
  DeleteRegValue HKCU "${APPROVED_KEY}" "Scrubjay"
!macroend

; Sets $Busy if another program keeps the file on the stack from being replaced.
Function un.checkFile
  Pop $R7
  ${If} $Busy == ""
    ; Opened for writing and deleting, and shared with all. Only a sharing violation counts.
    System::Call 'kernel32::CreateFileW(w R7, i 0x40010000, i 7, p 0, i 3, i 0, p 0)p.R8 ?e'
    Pop $R9
    ${If} $R8 P<> -1
      System::Call 'kernel32::CloseHandle(p R8)'
    ${ElseIf} $R9 = 32
      StrCpy $Busy $R7
    ${EndIf}
  ${EndIf}
FunctionEnd

; Asks the app in $Folder to quit, and waits until nothing there is in use. CHECK is a macro that
; looks at more than the programs.
!macro QUIT_APP PREFIX CHECK
Function ${PREFIX}isBusy
  StrCpy $Busy ""
  ${For} $R8 1 2
    StrCpy $R7 "scrubjay.exe"
    ${If} $R8 = 2
      StrCpy $R7 "scrubjay-desktop.exe"
    ${EndIf}
    ${If} ${FileExists} "$Folder\$R7"
      ; Windows does not open the file of a running program for writing.
      ClearErrors
      FileOpen $R9 "$Folder\$R7" a
      ${If} ${Errors}
        StrCpy $Busy $R7
      ${Else}
        FileClose $R9
      ${EndIf}
    ${EndIf}
  ${Next}
  !insertmacro ${CHECK}
FunctionEnd

Function ${PREFIX}quitApp
  StrCpy $Running 0
  Call ${PREFIX}isBusy
  ${If} $Busy == ""
    Return
  ${EndIf}
  ${If} $Busy == "scrubjay-desktop.exe"
    StrCpy $Running 1
    nsExec::Exec '"$Folder\scrubjay-desktop.exe" --quit'
    Pop $R0
  ${EndIf}
  ${Do}
    ; The app closes its indexes first, which can take some seconds.
    ${For} $R0 1 40
      Call ${PREFIX}isBusy
      ${If} $Busy == ""
        Return
      ${EndIf}
      Sleep 500
    ${Next}
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(IN_USE)" /SD IDCANCEL IDRETRY retry
    Call ${PREFIX}giveUp
    retry:
  ${Loop}
FunctionEnd

; Starts the app again if it was asked to quit, and ends.
Function ${PREFIX}giveUp
  ${If} $Running = 1
    Exec '"$Folder\scrubjay-desktop.exe" --background'
  ${EndIf}
  SetErrorLevel ${EXIT_IN_USE}
  Quit
FunctionEnd
!macroend
!macro CHECK_NOTHING
!macroend
!insertmacro QUIT_APP "" CHECK_NOTHING
; The uninstaller looks before it removes anything, so that no half of a version stays.
!insertmacro QUIT_APP "un." CHECK_FILES

; Sets $R0 to 1 if the folder holds files, but not an earlier Scrubjay.
Function isForeignFolder
  StrCpy $R0 0
  ${If} ${FileExists} "$INSTDIR\${UNINSTALLER}"
    Return
  ${EndIf}
  FindFirst $R1 $R2 "$INSTDIR\*"
  ${DoWhile} $R2 != ""
    ${If} $R2 != "."
    ${AndIf} $R2 != ".."
      StrCpy $R0 1
    ${EndIf}
    FindNext $R1 $R2
  ${Loop}
  FindClose $R1
FunctionEnd

Function refuseForeignFolder
  Call isForeignFolder
  ${If} $R0 = 1
    MessageBox MB_OK|MB_ICONEXCLAMATION "$(FOREIGN_FOLDER)"
    Abort
  ${EndIf}
FunctionEnd

; NSIS cuts texts at ${NSIS_MAX_STRLEN} characters, and the PATH of a person can be longer. It is
; therefore read, changed and written outside of NSIS's variables: $1 is the key, $3 the kind of value,
; $4 its size in bytes, $5 the value with a semicolon around it, $6 where ";$Folder;" begins in it.
!macro OPEN_PATH
  System::Call 'advapi32::RegOpenKeyExW(p -2147483647, w "Environment", i 0, i 0x2001F, *p 0 r1)i.r0'
  System::Call 'advapi32::RegQueryValueExW(p r1, w "Path", p 0, *i 2 r3, p 0, *i 0 r4)i.r0'
  IntOp $2 $4 + 4096
  System::Alloc $2
  Pop $5
  System::Call 'kernel32::lstrcpyW(p r5, w ";")'
  IntPtrOp $7 $5 + 2
  System::Call 'advapi32::RegQueryValueExW(p r1, w "Path", p 0, p 0, p r7, *i r4)i.r0'
  System::Call 'kernel32::lstrcatW(p r5, w ";")'
  System::Call 'shlwapi::StrStrIW(p r5, w ";$Folder;")p.r6'
!macroend

; Programs that start from now on see the new PATH.
!macro ANNOUNCE_PATH
  SendMessage 0xFFFF 0x1A 0 "STR:Environment" /TIMEOUT=2000
!macroend

; Writes the text at $7, and frees the value.
!macro CLOSE_PATH
  ${If} $7 P<> 0
    System::Call 'kernel32::lstrlenW(p r7)i.r4'
    IntOp $4 $4 + 1
    IntOp $4 $4 * 2
    System::Call 'advapi32::RegSetValueExW(p r1, w "Path", i 0, i r3, p r7, i r4)'
    !insertmacro ANNOUNCE_PATH
  ${EndIf}
  System::Free $5
  System::Call 'advapi32::RegCloseKey(p r1)'
!macroend

; Sets $R0 to 1 if the PATH names $Folder.
Function isInPath
  !insertmacro OPEN_PATH
  StrCpy $R0 0
  ${If} $6 P<> 0
    StrCpy $R0 1
  ${EndIf}
  StrCpy $7 0
  !insertmacro CLOSE_PATH
FunctionEnd

Function addToPath
  !insertmacro OPEN_PATH
  StrCpy $7 0
  ${If} $6 P= 0
    System::Call 'kernel32::lstrcatW(p r5, w "$Folder")'
    ; A PATH that was empty has left both semicolons at the beginning.
    IntPtrOp $7 $5 + 2
    System::Call '*$7(&i2 .r0)'
    ${If} $0 = 59
      IntPtrOp $7 $7 + 2
    ${EndIf}
  ${EndIf}
  !insertmacro CLOSE_PATH
FunctionEnd

!macro REMOVE_FROM_PATH PREFIX
Function ${PREFIX}removeFromPath
  !insertmacro OPEN_PATH
  StrCpy $7 0
  ${If} $6 P<> 0
    StrLen $0 ";$Folder"
    IntOp $0 $0 * 2
    IntPtrOp $8 $6 + $0
    System::Call 'kernel32::lstrlenW(p r8)i.r0'
    IntOp $0 $0 + 1
    IntOp $0 $0 * 2
    System::Call 'ntdll::memmove(p r6, p r8, p r0)'
    ; What is left has a semicolon at its end, and is nothing else if the folder was the only one.
    System::Call 'kernel32::lstrlenW(p r5)i.r0'
    IntOp $0 $0 - 1
    IntOp $0 $0 * 2
    IntPtrOp $8 $5 + $0
    System::Call '*$8(&i2 0)'
    IntPtrOp $7 $5 + 2
    ${If} $0 <= 2
      ; Nothing else was in it, or one more semicolon.
      System::Call 'advapi32::RegDeleteValueW(p r1, w "Path")'
      !insertmacro ANNOUNCE_PATH
      StrCpy $7 0
    ${EndIf}
  ${EndIf}
  !insertmacro CLOSE_PATH
FunctionEnd
!macroend
!insertmacro REMOVE_FROM_PATH ""
!insertmacro REMOVE_FROM_PATH "un."

; Removes the files of the version in $Folder, whose uninstaller has the list of them.
Function removeOldVersion
  ${IfNot} ${FileExists} "$Folder\${UNINSTALLER}"
    Return
  ${EndIf}
  Call quitApp
  again:
  ClearErrors
  ExecWait '"$Folder\${UNINSTALLER}" /S /UPGRADE _?=$Folder' $R0
  ${If} $R0 = ${EXIT_IN_USE}
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(IN_USE)" /SD IDCANCEL IDRETRY again
    Call giveUp
  ${EndIf}
  ${If} ${Errors}
  ${OrIf} $R0 <> 0
    MessageBox MB_OK|MB_ICONSTOP "$(OLD_VERSION)" /SD IDOK
    SetErrorLevel ${EXIT_OLD_VERSION}
    Quit
  ${EndIf}
  ; An uninstaller that runs in its own folder cannot delete itself.
  Delete "$Folder\${UNINSTALLER}"
  Call removeFromPath
FunctionEnd

; Gives a shortcut the identity of the app, so that the taskbar shows both as one.
!macro IDENTIFY SHORTCUT
  !insertmacro ComHlpr_CreateInProcInstance ${CLSID_ShellLink} ${IID_IShellLink} r0 ""
  ${If} $0 P<> 0
    ${IUnknown::QueryInterface} $0 '("${IID_IPersistFile}",.r1)'
    ${If} $1 P<> 0
      ${IPersistFile::Load} $1 '("${SHORTCUT}", ${STGM_READWRITE})'
      ${IUnknown::QueryInterface} $0 '("${IID_IPropertyStore}",.r2)'
      ${If} $2 P<> 0
        System::Call '*${SYSSTRUCT_PROPERTYKEY}(${PKEY_AppUserModel_ID})p.r3'
        System::Call '*(&w${NSIS_MAX_STRLEN} "${APP_ID}")p.r4'
        System::Call '*${SYSSTRUCT_PROPVARIANT}(${VT_LPWSTR},,p r4)p.r5'
        ${IPropertyStore::SetValue} $2 '($3,$5)'
        ${IPropertyStore::Commit} $2 ""
        ${IUnknown::Release} $2 ""
        System::Free $3
        System::Free $4
        System::Free $5
        ${IPersistFile::Save} $1 '("${SHORTCUT}",1)'
      ${EndIf}
      ${IUnknown::Release} $1 ""
    ${EndIf}
    ${IUnknown::Release} $0 ""
  ${EndIf}
!macroend

Section "$(PROGRAM)" PROGRAM_SECTION
  SectionIn RO
  ; An earlier version is removed wherever it is.
  StrCpy $Running 0
  ReadRegStr $Folder HKCU "${OWN_KEY}" "Folder"
  ReadRegDWORD $R6 HKCU "${OWN_KEY}" "MadeFolder"
  StrCpy $R5 $Folder
  ${If} $Folder != ""
    Call removeOldVersion
    ${If} $Folder != $INSTDIR
    ${AndIf} $R6 = 1
      RMDir "$Folder"
    ${EndIf}
  ${EndIf}
  ${If} $R5 != $INSTDIR
    StrCpy $R4 $Running
    StrCpy $Folder $INSTDIR
    Call removeOldVersion
    ${If} $R4 = 1
      StrCpy $Running 1
    ${EndIf}
    ; Only a folder that the installer made is removed again.
    StrCpy $R6 1
    ${If} ${FileExists} "$INSTDIR\*"
      StrCpy $R6 0
    ${EndIf}
  ${EndIf}

  ; The uninstaller comes first, so that an interrupted installation can be removed or repeated.
  SetOutPath "$INSTDIR"
  WriteUninstaller "$INSTDIR\${UNINSTALLER}"
  WriteRegStr HKCU "${OWN_KEY}" "Folder" "$INSTDIR"
  WriteRegDWORD HKCU "${OWN_KEY}" "MadeFolder" $R6
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayName" "Scrubjay"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "Publisher" "Scrubjay maintainers"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\scrubjay-desktop.exe"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\${UNINSTALLER}"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\${UNINSTALLER}" /S'
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "EstimatedSize" ${KILOBYTES}
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoRepair" 1

  ; The process that reads documents may do only what all users may, and has to read the program.
  nsExec::Exec '"$SYSDIR\icacls.exe" "$INSTDIR" /grant *S-1-5-32-545:(OI)(CI)RX'
  Pop $R0
  !insertmacro INSTALL_FILES

  SetOutPath "$INSTDIR"
  CreateShortcut "$SMPROGRAMS\Scrubjay.lnk" "$INSTDIR\scrubjay-desktop.exe"
  !insertmacro IDENTIFY "$SMPROGRAMS\Scrubjay.lnk"
SectionEnd

Section /o "$(AUTOSTART)" AUTOSTART_SECTION
  !insertmacro READ_START
  ${If} $Start == "other"
    MessageBox MB_YESNO|MB_ICONQUESTION "$(OTHER_START)" /SD IDNO IDYES take
    Return
    take:
  ${EndIf}
  !insertmacro WRITE_START
  ; A person who turned it off in Task Manager wants it now.
  DeleteRegValue HKCU "${APPROVED_KEY}" "Scrubjay"
SectionEnd

Section /o "$(DESKTOP)" DESKTOP_SECTION
  CreateShortcut "$DESKTOP\Scrubjay.lnk" "$INSTDIR\scrubjay-desktop.exe"
  !insertmacro IDENTIFY "$DESKTOP\Scrubjay.lnk"
SectionEnd

Section /o "$(TERMINAL)" TERMINAL_SECTION
  StrCpy $Folder $INSTDIR
  Call addToPath
SectionEnd

Section "-last"
  ; What was on before an update is kept, and what was taken off is removed. A start that is turned
  ; off in Task Manager stays off, and follows the program into its folder.
  !insertmacro READ_START
  ${IfNot} ${SectionIsSelected} ${AUTOSTART_SECTION}
  ${AndIf} $Start == "own"
    ${If} $WasOn = 1
      !insertmacro REMOVE_START
    ${Else}
      !insertmacro WRITE_START
    ${EndIf}
  ${EndIf}
  ${IfNot} ${Silent}
    ${IfNot} ${SectionIsSelected} ${DESKTOP_SECTION}
      Delete "$DESKTOP\Scrubjay.lnk"
    ${EndIf}
  ${EndIf}
  ${If} $Running = 1
    Exec '${APP} --background'
  ${EndIf}
SectionEnd

!macro SELECT SECTION OPTION
  ClearErrors
  ${GetOptions} $R0 "${OPTION}" $R1
  ${IfNot} ${Errors}
    !insertmacro SelectSection ${SECTION}
  ${EndIf}
!macroend

; Ends where the program could not start.
Function refuseWrongSystem
  StrCpy $R1 ${FIRST_BUILD}
  ${If} ${IsNativeARM64}
    StrCpy $R1 ${FIRST_BUILD_ON_ARM}
  ${EndIf}
  ${If} ${RunningX64}
  ${AndIf} ${AtLeastBuild} $R1
    Return
  ${EndIf}
  MessageBox MB_OK|MB_ICONSTOP "$(WRONG_SYSTEM)" /SD IDOK
  SetErrorLevel ${EXIT_SYSTEM}
  Quit
FunctionEnd

; Sets $WasOn. What a person turned off in Task Manager has an odd first byte.
Function readWasOn
  StrCpy $WasOn 0
  !insertmacro READ_START
  ${If} $Start == "own"
    System::Alloc 64
    Pop $5
    System::Call 'advapi32::RegGetValueW(p -2147483647, w "${APPROVED_KEY}", w "Scrubjay", i 0xFFFF, p 0, p r5, *i 64)'
    System::Call '*$5(&i1 .r6)'
    System::Free $5
    IntOp $6 $6 & 1
    ${If} $6 = 0
      StrCpy $WasOn 1
    ${EndIf}
  ${EndIf}
FunctionEnd

Function .onInit
  Call refuseWrongSystem
  SetShellVarContext current
  ${GetParameters} $R0
  !insertmacro SELECT ${AUTOSTART_SECTION} "/AUTOSTART"
  !insertmacro SELECT ${DESKTOP_SECTION} "/DESKTOP"
  !insertmacro SELECT ${TERMINAL_SECTION} "/TERMINAL"
  ; An update starts with what is on now.
  ReadRegStr $Earlier HKCU "${OWN_KEY}" "Folder"
  Call readWasOn
  ${If} $WasOn = 1
    !insertmacro SelectSection ${AUTOSTART_SECTION}
  ${EndIf}
  ${If} ${FileExists} "$DESKTOP\Scrubjay.lnk"
    !insertmacro SelectSection ${DESKTOP_SECTION}
  ${EndIf}
  StrCpy $Folder $Earlier
  ${If} $Folder != ""
    Call isInPath
    ${If} $R0 = 1
      !insertmacro SelectSection ${TERMINAL_SECTION}
    ${EndIf}
  ${EndIf}
  ${If} ${Silent}
    Call isForeignFolder
    ${If} $R0 = 1
      SetErrorLevel ${EXIT_FOREIGN_FOLDER}
      Quit
    ${EndIf}
  ${EndIf}
FunctionEnd

!insertmacro MUI_FUNCTION_DESCRIPTION_BEGIN
  !insertmacro MUI_DESCRIPTION_TEXT ${PROGRAM_SECTION} "$(ABOUT_PROGRAM)"
  !insertmacro MUI_DESCRIPTION_TEXT ${AUTOSTART_SECTION} "$(ABOUT_AUTOSTART)"
  !insertmacro MUI_DESCRIPTION_TEXT ${DESKTOP_SECTION} "$(ABOUT_DESKTOP)"
  !insertmacro MUI_DESCRIPTION_TEXT ${TERMINAL_SECTION} "$(ABOUT_TERMINAL)"
!insertmacro MUI_FUNCTION_DESCRIPTION_END

; -- Uninstaller ---------------------------------------------------------------------------------

Var Settings ; 1 to remove the settings too
Var Upgrading ; 1 if only the files are replaced

Section "un.$(PROGRAM)" UN_PROGRAM_SECTION
  SectionIn RO
SectionEnd

Section /o "un.$(SETTINGS)" UN_SETTINGS_SECTION
  StrCpy $Settings 1
SectionEnd

Section "un.-last"
  StrCpy $Folder $INSTDIR
  Call un.quitApp
  StrCpy $R9 0
  ${If} $Upgrading = 0
    ; Agents must not start a program that is gone. Settings are removed only if that was chosen.
    StrCpy $R1 "--keep settings,indexes,models,keys,audit-log,logs"
    ${If} $Settings = 1
      StrCpy $R1 ""
    ${EndIf}
    nsExec::Exec '"$INSTDIR\scrubjay.exe" uninstall --yes $R1'
    Pop $R9
  ${EndIf}

  !insertmacro REMOVE_FILES
  ${If} $Upgrading = 1
    Return
  ${EndIf}

  Call un.removeFromPath
  Delete "$SMPROGRAMS\Scrubjay.lnk"
  Delete "$DESKTOP\Scrubjay.lnk"
  ; Another copy of Scrubjay may have put its own command there.
  !insertmacro READ_START
  ${If} $Start == "own"
    !insertmacro REMOVE_START
  ${EndIf}
  ReadRegDWORD $R1 HKCU "${OWN_KEY}" "MadeFolder"
  DeleteRegKey HKCU "${UNINSTALL_KEY}"
  DeleteRegKey HKCU "${OWN_KEY}"
  Delete "$INSTDIR\${UNINSTALLER}"
  ; A folder that is not empty stays.
  SetOutPath "$TEMP"
  ${If} $R1 = 1
    RMDir "$INSTDIR"
  ${EndIf}
  ${If} $R9 != 0
    MessageBox MB_OK|MB_ICONEXCLAMATION "$(SETTINGS_STAYED)" /SD IDOK
    SetErrorLevel ${EXIT_SETTINGS}
  ${EndIf}
SectionEnd

Function un.onInit
  SetShellVarContext current
  StrCpy $Settings 0
  StrCpy $Upgrading 0
  ${GetParameters} $R0
  !insertmacro SELECT ${UN_SETTINGS_SECTION} "/REMOVESETTINGS"
  ClearErrors
  ${GetOptions} $R0 "/UPGRADE" $R1
  ${IfNot} ${Errors}
    StrCpy $Upgrading 1
  ${EndIf}
FunctionEnd

!insertmacro MUI_UNFUNCTION_DESCRIPTION_BEGIN
  !insertmacro MUI_DESCRIPTION_TEXT ${UN_PROGRAM_SECTION} "$(ABOUT_REMOVAL)"
  !insertmacro MUI_DESCRIPTION_TEXT ${UN_SETTINGS_SECTION} "$(ABOUT_SETTINGS)"
!insertmacro MUI_UNFUNCTION_DESCRIPTION_END
