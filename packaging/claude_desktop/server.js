// Starts the Scrubjay that is installed on this computer. Input and output of the server are those
// of this process.
"use strict";
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

// Folders in which the installers put the program, where PATH does not lead to it.
const FOLDERS = {
  win32: [
    path.join(process.env.LOCALAPPDATA || "", "Programs", "Scrubjay"),
    path.join(process.env.ProgramFiles || "", "Scrubjay"),
  ],
  darwin: [
    "/Applications/Scrubjay.app/Contents/MacOS",
    path.join(os.homedir(), "Applications", "Scrubjay.app", "Contents", "MacOS"),
  ],
};

function programs() {
  // A setting without a value is passed on as its placeholder.
  const chosen = process.env.SCRUBJAY_PROGRAM || "";
  if (chosen && !chosen.startsWith("${")) return [chosen];
  const listed = (process.env.PATH || "").split(path.delimiter);
  const usual = FOLDERS[process.platform] || [path.join(os.homedir(), ".local", "bin")];
  const name = process.platform === "win32" ? "scrubjay.exe" : "scrubjay";
  // A relative folder could lead to somebody else's program.
  return [...listed, ...usual].filter(path.isAbsolute).map((folder) => path.join(folder, name));
}

function isFile(file) {
  return Boolean(fs.statSync(file, { throwIfNoEntry: false })?.isFile());
}

function fail(reason) {
  console.error(`${reason} Install Scrubjay, or choose its program in the extension's settings.`);
  process.exit(1);
}

const program = programs().find(isFile);
if (!program) fail("Scrubjay was not found on this computer.");
const child = spawn(program, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
child.on("error", (error) => fail(`Scrubjay cannot be started: ${error.message}.`));
child.on("exit", (code) => process.exit(code ?? 1));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
