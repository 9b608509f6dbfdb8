// The ways in which a command may name a folder.

/** The ways in which a command may name a tree. */
export function namesOf(root: string, home: string | undefined): readonly string[] {
  if (home === undefined || !root.startsWith(`${home}/`)) return [root];
  const below = root.slice(home.length);
  return [root, `~${below}`, `$HOME${below}`, `\${HOME}${below}`];
}
