// Starts the Scrubjay that is installed on this computer. Input and output of the server are those
// of this process.
"use strict";
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

// Folders in which the installers put the program, where PATH does not lead to it.
const FOLDERS = {
  win32: [path.join(process.env.LOCALAPPDATA || "", "Programs", "Scrubjay")],
  darwin: [
    "/Applications/Scrubjay.app/Contents/MacOS",
    path.join(os.homedir(), "Applications", "Scrubjay.app", "Contents", "MacOS"),
  ],
};

function chosenProgram() {
  // A setting without a value is passed on as its placeholder.
  const chosen = process.env.SCRUBJAY_PROGRAM || "";
  return chosen.startsWith("${") ? "" : chosen;
}

function usualPrograms() {
  const listed = (process.env.PATH || "").split(path.delimiter);
  const usual = FOLDERS[process.platform] || [path.join(os.homedir(), ".local", "bin")];
  const name = process.platform === "win32" ? "scrubjay.exe" : "scrubjay";
  // On Windows, an installed program comes before others that PATH may lead to.
  const folders = process.platform === "win32" ? [...usual, ...listed] : [...listed, ...usual];
  return folders.map((folder) => path.join(folder, name));
}

function isProgram(file) {
  // A relative path could be anybody's.
  if (!path.isAbsolute(file)) return false;
  // PATH may have files, and folders that nobody may look into.
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

function fail(reason) {
  console.error(`${reason} Install Scrubjay, or choose its program in the extension's settings.`);
  process.exit(1);
}

const chosen = chosenProgram();
if (chosen && !isProgram(chosen)) fail(`The chosen program cannot be started: ${chosen}.`);
const program = chosen || usualPrograms().find(isProgram);
if (!program) fail("Scrubjay was not found on this computer.");
const child = spawn(program, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
child.on("error", (error) => fail(`Scrubjay cannot be started: ${error.message}.`));
child.on("exit", (code) => process.exit(code ?? 1));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
