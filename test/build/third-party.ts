// The licence texts of what is bundled, collected from the bundler's own list of modules. A package without a licence that
// pawl may ship fails the build.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Licences that ask for no more than their text. */
const allowed =
  /^(?:\(?(?:MIT|MIT-0|ISC|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|0BSD|BlueOak-1\.0\.0|CC0-1\.0)(?: (?:OR|AND) |\)?$))+/;

type Package = Readonly<{ name: string; version: string; license: string; text: string }>;
type Chunk = Readonly<{ type: string; modules?: Readonly<Record<string, unknown>> }>;

/** Folders of the packages that any bundle of this build holds. */
const folders = new Set<string>();

/** Writes `THIRD-PARTY.md` beside each bundle, with all that was bundled so far. */
export const thirdParty = {
  name: 'third-party',
  writeBundle({ dir = 'dist' }: { dir?: string }, bundle: Readonly<Record<string, Chunk>>) {
    const ids = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}));
    for (const id of ids) {
      const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replace(/^\0/, '')) ?? [];
      if (folder !== undefined) folders.add(folder);
    }
    const packages = [...folders].map(readPackage).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    writeFileSync(path.join(dir, 'THIRD-PARTY.md'), formatThirdParty(packages));
  },
};

function readPackage(folder: string): Package {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
  };
  if (license === undefined || !allowed.test(license))
    throw new Error(`${name} has the licence ${license}: may pawl ship it? See test/build/third-party.ts`);
  const file = readdirSync(folder).find((each) => /^licen[cs]e(?:[.-].*)?$/i.test(each));
  const text = file === undefined ? '' : readFileSync(path.join(folder, file), 'utf8').trim();
  return { name, version, license, text };
}

/** As one document; a package without a text of its own has the name of its licence. */
export function formatThirdParty(packages: readonly Package[]): string {
  const parts = packages.map(({ name, version, license, text }) => {
    const fence = '`'.repeat(3);
    return `## ${name} ${version}\n\n${license}\n${text === '' ? '' : `\n${fence}\n${text.replaceAll(fence, "'''")}\n${fence}\n`}`;
  });
  return `# What pawl contains of others\n\nThese packages are bundled into the files of this folder.\n\n${parts.join('\n')}`;
}
