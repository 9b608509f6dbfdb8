// What vitest does once before all tests: a place for pawl's build, which the first test that starts it makes.
import path from 'node:path';
import { placeBuild } from './built-pawl.ts';

/** Makes the place; returns what removes it. */
export async function setup(): Promise<() => Promise<void>> {
  const pawl = await placeBuild();
  process.env['NODE_COMPILE_CACHE'] = path.join(path.dirname(pawl.command), '../cache');
  return async () => {
    await pawl[Symbol.asyncDispose]();
  };
}
