// The build: one bundle with a chunk per lazy command, and the entries that run as processes of their own.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type UserConfig } from 'tsdown';
import { formatManPage } from './build/man-page.ts';
import { thirdParty } from './build/third-party.ts';

/** Entries by the name of their file in dist/. */
export const entries = {
  pawl: 'src/pawl.js',
  main: 'src/main.ts',
  'demo-agent': 'src/demo/agent.ts',
  'run-watchdog': 'src/process/run-watchdog-main.ts',
};

/** Keeps module syntax out of the door, which a Node that knows no modules must be able to read. */
const plainDoor = {
  name: 'plain-door',
  renderChunk: (code: string, chunk: { name: string }) =>
    chunk.name === 'pawl' ? code.replace(/\nexport \{\s*\};?\s*$/, '\n') : null,
};

const root = new URL('..', import.meta.url).pathname;

/** Puts the manual page beside the programs. */
const manPage = {
  name: 'man-page',
  writeBundle({ dir = 'dist' }: { dir?: string }) {
    const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string };
    writeFileSync(path.join(dir, 'pawl.1'), formatManPage(version));
  },
};

/** What the bundler tells of its modules. */
type Graph = Readonly<{ getModuleInfo(id: string): Readonly<{ importedIds: readonly string[] }> | null }>;

/** What is imported at once, not only when it is needed. */
function closureOf(graph: Graph, files: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = files.map((file) => root + file);
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    queue.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

/**
 * Few large chunks for the commands that start most, since Node needs half a millisecond to find each: a run starts with
 * 30 ms less of the processor than with the sixty that modules shared by this command and that would make. No
 * command loads what it does not use: what `lint` and `status` need is apart from what only a run does.
 */
function chunkNamer(): (id: string, graph: Graph) => string | null {
  let sets:
    | Readonly<Record<'door' | 'line' | 'words' | 'lint' | 'status' | 'run', ReadonlySet<string>>>
    | undefined;
  return (id, graph) => {
    sets ??= {
      // Shared by programs, or loaded for `--version`.
      door: closureOf(graph, [
        'src/main.ts',
        'src/disk.ts',
        'src/write-file.ts',
        'src/demo/agent.ts',
        'src/process/run-watchdog-main.ts',
      ]),
      line: closureOf(graph, ['src/cli/read-status-line.ts']),
      words: closureOf(graph, ['src/cli/program.ts']),
      lint: closureOf(graph, ['src/cli/lint.ts']),
      status: closureOf(graph, ['src/cli/status.ts']),
      run: closureOf(graph, ['src/cli/run.ts', 'src/start/drive-run.ts']),
    };
    if (sets.door.has(id)) return null;
    if (sets.line.has(id)) return 'line';
    if (sets.words.has(id)) return 'words';
    const both = sets.lint.has(id) && sets.status.has(id);
    if (both) return 'plans';
    return (['lint', 'status', 'run'] as const).find((name) => sets?.[name].has(id)) ?? null;
  };
}

const common = {
  cwd: root,
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  dts: false,
  logLevel: 'warn',
  // Bundled dependencies halve the time to start: `lint` 0.10 s instead of 0.19 s.
  deps: { alwaysBundle: [/^(?!pg-native$)/], neverBundle: ['pg-native'], onlyBundle: false },
} satisfies UserConfig;

/** pawl and its programs, which share chunks. */
export const shipped = {
  ...common,
  entry: entries,
  target: 'node22.18',
  clean: true,
  plugins: [plainDoor, manPage, thirdParty],
  inputOptions: { preserveEntrySignatures: false },
  outputOptions: {
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: chunkNamer(), debugName: 'commands' }],
    },
  },
} satisfies UserConfig;

/** What runs inside a sandbox: one file, a module by its name alone, for the Node of whatever image it is mounted into. */
export const mounted = {
  ...common,
  entry: { tunnel: 'src/sandbox/tunnel-main.ts' },
  target: 'node18',
  clean: false,
  plugins: [thirdParty],
  outputOptions: { entryFileNames: '[name].mjs' },
} satisfies UserConfig;

/** Puts what belongs to the page beside the script, as it is. */
const pageFiles = {
  name: 'page-files',
  buildStart(this: { emitFile(file: { type: 'asset'; fileName: string; source: Uint8Array }): string }) {
    for (const name of ['page.css', 'icon.svg', 'icon.png']) {
      const source = readFileSync(`${root}src/web/page/${name}`);
      this.emitFile({ type: 'asset', fileName: `web/${name}`, source });
    }
  },
};

/** The dashboard's page: one script for browsers, its style and its icons. */
export const page = {
  ...common,
  entry: { 'web/page': 'src/web/page/main.tsx' },
  platform: 'browser',
  target: 'es2022',
  minify: true,
  clean: false,
  plugins: [pageFiles, thirdParty],
  inputOptions: { transform: { jsx: { runtime: 'automatic', importSource: 'preact' } } },
  outputOptions: { entryFileNames: '[name].js' },
} satisfies UserConfig;

export default defineConfig([shipped, mounted, page]);
