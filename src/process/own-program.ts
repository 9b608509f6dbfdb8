// Finds a program of pawl's own: its source beside the module that starts it, or its one file in a build.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** `near`: the module's `import.meta.url`. */
export function findOwnProgram(near: string, source: string, built: string): string {
  const files = [source, built, `../${built}`].map((name) => fileURLToPath(new URL(name, near)));
  const found = files.find((file) => existsSync(file));
  if (found === undefined) throw new Error(`a program of pawl’s is missing: ${files.join(', ')}`);
  return found;
}
