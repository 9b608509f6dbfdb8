// A temporary folder that removes itself.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Makes one; absolute, symlinks resolved. */
export function makeTempFolder(): Disposable & { readonly path: string } {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'pawl-test-')));
  return { path: folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
