// The build: one bundle with a chunk per lazy command, and the entries that run as processes of their own.
import { defineConfig, type UserConfig } from 'tsdown';

/** Entries by the name of their file in dist/. */
export const entries = {
  pawl: 'src/pawl.js',
  main: 'src/main.ts',
  'demo-agent': 'src/demo/agent.ts',
  minder: 'src/process/minder-main.ts',
};

/** Keeps module syntax out of the door, which a Node that knows no modules must be able to read. */
const plainDoor = {
  name: 'plain-door',
  renderChunk: (code: string, chunk: { name: string }) =>
    chunk.name === 'pawl' ? code.replace(/\nexport \{\s*\};?\s*$/, '\n') : null,
};

const common = {
  cwd: new URL('..', import.meta.url).pathname,
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  dts: false,
  logLevel: 'warn',
  // Bundled dependencies halve the time to start: `lint` 0.10 s instead of 0.19 s.
  deps: { alwaysBundle: [/./], onlyBundle: false },
} satisfies UserConfig;

/** pawl and its programs, which share chunks. */
export const shipped = {
  ...common,
  entry: entries,
  target: 'node22.18',
  clean: true,
  plugins: [plainDoor],
  outputOptions: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
} satisfies UserConfig;

/** What runs inside a sandbox: one file, a module by its name alone, for the Node of whatever image it is mounted into. */
export const mounted = {
  ...common,
  entry: { tunnel: 'src/sandbox/tunnel-main.ts', warden: 'src/sandbox/warden-main.ts' },
  target: 'node18',
  clean: false,
  outputOptions: { entryFileNames: '[name].mjs' },
} satisfies UserConfig;

export default defineConfig([shipped, mounted]);
