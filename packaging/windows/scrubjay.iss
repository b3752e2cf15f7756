; Inno Setup 6: an installer for one person, without administrator rights.
; iscc /DVersion=0.1.0 packaging\windows\scrubjay.iss
; Signed: iscc /DVersion=0.1.0 /DSign "/Ssigner=signtool sign /fd sha256 ... $f" ...
#ifndef Version
  #error Say which version: iscc /DVersion=0.1.0
#endif

[Setup]
AppId={{6C6E0F0E-7E43-4C55-9B0E-5C1D3F0B5A1A}
AppName=Scrubjay
AppVersion={#Version}
AppVerName=Scrubjay {#Version}
AppPublisher=Scrubjay maintainers
VersionInfoVersion={#Version}
DefaultDirName={autopf}\Scrubjay
DefaultGroupName=Scrubjay
DisableProgramGroupPage=yes
DisableDirPage=auto
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
LicenseFile=..\..\LICENSE
OutputDir=..\..\dist
OutputBaseFilename=Scrubjay-{#Version}-windows-x86_64
SetupIconFile=..\..\build\packaging\scrubjay.ico
UninstallDisplayIcon={app}\scrubjay-desktop.exe
UninstallDisplayName=Scrubjay
Compression=lzma2/max
SolidCompression=yes
WizardStyle=modern
; A running app is closed before its files are replaced, and then started again.
CloseApplications=yes
RestartApplications=yes
#ifdef Sign
SignTool=signer
SignedUninstaller=yes
#endif

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "es"; MessagesFile: "compiler:Languages\Spanish.isl"

[CustomMessages]
en.Autostart=Start Scrubjay in the background when I sign in
es.Autostart=Iniciar Scrubjay en segundo plano al iniciar sesión
en.AddToPath=Make the command "scrubjay" known to terminals
es.AddToPath=Hacer que las terminales conozcan la orden "scrubjay"
en.Launch=Open Scrubjay
es.Launch=Abrir Scrubjay

[Tasks]
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; GroupDescription: "{cm:AdditionalIcons}"; Flags: unchecked
Name: "autostart"; Description: "{cm:Autostart}"; Flags: unchecked
Name: "path"; Description: "{cm:AddToPath}"; Flags: unchecked

[InstallDelete]
; Files of an older version that a newer one no longer has would still be loaded.
Type: filesandordirs; Name: "{app}\_internal"

[Dirs]
; The process that reads documents may do only what all users may, and reads the program.
Name: "{app}"; Permissions: users-readexec

[Files]
Source: "..\..\dist\scrubjay\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{group}\Scrubjay"; Filename: "{app}\scrubjay-desktop.exe"; AppUserModelID: "org.scrubjay.Scrubjay"
Name: "{autodesktop}\Scrubjay"; Filename: "{app}\scrubjay-desktop.exe"; AppUserModelID: "org.scrubjay.Scrubjay"; Tasks: desktopicon

[Registry]
; Off by default.
Root: HKCU; Subkey: "Software\Microsoft\Windows\CurrentVersion\Run"; ValueType: string; ValueName: "Scrubjay"; ValueData: """{app}\scrubjay-desktop.exe"" --background"; Flags: uninsdeletevalue; Tasks: autostart
Root: HKCU; Subkey: "Environment"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}"; Tasks: path; Check: NeedsPath

[Run]
Filename: "{app}\scrubjay-desktop.exe"; Description: "{cm:Launch}"; Flags: nowait postinstall skipifsilent

[UninstallRun]
Filename: "{app}\scrubjay-desktop.exe"; Parameters: "--quit"; Flags: runhidden; RunOnceId: "QuitScrubjay"

[Code]
function NeedsPath: Boolean;
var
  Path: string;
begin
  if not RegQueryStringValue(HKEY_CURRENT_USER, 'Environment', 'Path', Path) then
    Path := '';
  Result := Pos(';' + Lowercase(ExpandConstant('{app}')) + ';', ';' + Lowercase(Path) + ';') = 0;
end;

{ Notes, settings and index are the person's, so the uninstaller leaves them alone. }
procedure CurUninstallStepChanged(Step: TUninstallStep);
var
  Path, Own: string;
begin
  if Step <> usPostUninstall then
    exit;
  RegDeleteValue(HKEY_CURRENT_USER, 'Software\Microsoft\Windows\CurrentVersion\Run', 'Scrubjay');
  Own := ';' + ExpandConstant('{app}');
  if RegQueryStringValue(HKEY_CURRENT_USER, 'Environment', 'Path', Path) then
  begin
    StringChangeEx(Path, Own, '', True);
    RegWriteExpandStringValue(HKEY_CURRENT_USER, 'Environment', 'Path', Path);
  end;
end;
