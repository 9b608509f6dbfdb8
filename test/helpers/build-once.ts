// What vitest does once before all tests: pawl is built, for the stories and whatever else starts it.
import path from 'node:path';
import { buildPawl } from './built-pawl.ts';

/** Builds pawl; returns what removes it. */
export async function setup(): Promise<() => Promise<void>> {
  const pawl = await buildPawl();
  process.env['NODE_COMPILE_CACHE'] = path.join(path.dirname(pawl.command), '../cache');
  return async () => {
    await pawl[Symbol.asyncDispose]();
  };
}
