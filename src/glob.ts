// Matches file names against a glob of the user's config: `*`, `?`, `**`, `[…]`, `{a,b}`.
import picomatch from 'picomatch';

/** A glob without a slash matches in any folder; one that ends in a slash, or names a folder, everything below. */
export function matchesAny(file: string, globs: readonly string[]): boolean {
  return globs.some((glob) => matcherOf(glob)(file));
}

type Matches = (file: string) => boolean;
const matchers = new Map<string, Matches>();

function matcherOf(glob: string): Matches {
  const known = matchers.get(glob);
  if (known) return known;
  const bare = glob.replace(/^\.?\//, '').replace(/\/$/, '');
  const isAnywhere = !glob.replace(/\/$/, '').includes('/');
  // Common in names, as in `app/(auth)/page.tsx`; to picomatch they are a regular expression's.
  const path = `${isAnywhere ? '**/' : ''}${bare.replace(/(?<!\\)[()+|]/g, '\\$&')}`;
  const matches = picomatch([path, `${path}/**`], { dot: true, nonegate: true, posix: true });
  // A name that looks like a glob, such as `[id].ts`, is also meant literally.
  const isNamed = (file: string) =>
    isAnywhere ? `/${file}/`.includes(`/${bare}/`) : `${file}/`.startsWith(`${bare}/`);
  const made = (file: string) => matches(file) || isNamed(file);
  matchers.set(glob, made);
  return made;
}
