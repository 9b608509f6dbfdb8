// How two normalized paths relate, both absolute or relative to the same folder.

/** Not the folder itself. */
export function isBelow(file: string, folder: string): boolean {
  return file.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

export function isAtOrBelow(file: string, folder: string): boolean {
  return file === folder || isBelow(file, folder);
}
