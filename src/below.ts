// How two paths relate. Both are normalized and of the same kind: absolute, or relative to the same folder.

/** True for anything inside the folder, at any depth, but not for the folder itself. */
export function isBelow(file: string, folder: string): boolean {
  return file.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** True for the folder itself and anything inside it, at any depth. */
export function isAtOrBelow(file: string, folder: string): boolean {
  return file === folder || isBelow(file, folder);
}
