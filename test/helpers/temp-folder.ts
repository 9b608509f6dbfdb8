// A temporary folder that removes itself.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Makes one; absolute, symlinks resolved. A program that was just killed may still be writing its last file. */
export function makeTempFolder(): Disposable & { readonly path: string } {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'pawl-test-')));
  const remove = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 };
  return { path: folder, [Symbol.dispose]: () => rmSync(folder, remove) };
}
