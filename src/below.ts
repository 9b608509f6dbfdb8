// Where one path lies to another. Both are normal and of one kind: absolute, or relative to the same folder.

/** True for what is somewhere inside the folder, not for the folder itself. */
export function isBelow(file: string, folder: string): boolean {
  return file.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** True for the folder itself and all that is somewhere inside it. */
export function isAtOrBelow(file: string, folder: string): boolean {
  return file === folder || isBelow(file, folder);
}
