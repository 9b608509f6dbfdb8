// Pure. Files by whose names a program of this machine finds what it runs.
import { namesFile } from './names-file.ts';

const table: readonly (readonly [RegExp, string])[] = [
  [/^\.husky$|^\.githooks$|^\.?lefthook(-local)?\./, 'git’s hooks'],
  [/^\.pre-commit-config\.yaml$|^\.overcommit\.yml$/, 'git’s hooks'],
  [/^\.vscode$|^\.idea$|^\.fleet$|^\.zed$|^\.vs$|\.code-workspace$/, 'an editor'],
  [/^\.n?vimrc$|^\.exrc$|^\.nvim\.lua$|^\.dir-locals\.el$/, 'an editor'],
  [/^\.devcontainer(\.json)?$/, 'a dev container'],
  [/^\.envrc$|^\.?mise(\.[\w-]+)*\.toml$|^\.autoenv(\.zsh)?$/, 'a shell'],
  [/^\.(claude|codex|gemini|qwen|kimi|kimi-code|opencode)$|^\.mcp\.json$|^opencode\.jsonc?$/, 'an agent'],
  [/^\.github\/((hooks|copilot)\/|mcp\.json$)/, 'an agent'],
  [/^\.pawl$/, 'pawl'],
];

/** Undefined: nobody, by its name alone. */
export function runnerOf(file: string): string | undefined {
  const whole = file.toLowerCase();
  for (const part of [whole, ...whole.split('/')]) {
    const found = table.find(([name]) => name.test(part));
    if (found) return found[1];
  }
  return undefined;
}

export function asksForRunner(text: string, file: string): boolean {
  // What is known by its whole path is copilot’s.
  const part = file.split('/').find((one) => runnerOf(one) !== undefined) ?? 'copilot';
  const tool = /[a-z][a-z-]+/i.exec(part)?.[0] ?? part;
  return namesFile(text, file) || text.toLowerCase().includes(tool.toLowerCase());
}
