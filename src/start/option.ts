// One option of a command as data.
import { meanings } from '../config/meanings.ts';

export type OptionSpec = Readonly<{
  /** `-q, --quiet`, `--task <id>`, `--set <key=value>`. */
  flags: string;
  says: string;
  choices?: readonly string[];
  /** A whole number of at least this. */
  atLeast?: number;
  /** Listed after the others. */
  rare?: true;
  /** May be repeated; the value is a list. */
  many?: boolean;
  key?: string;
  /** Long flags it cannot be combined with. */
  excludes?: readonly string[];
  /** Long flags without which it has no effect. */
  needs?: readonly string[];
}>;

export function ofSetting(flags: string, key: keyof typeof meanings): OptionSpec {
  return { flags, key, ...meanings[key] };
}

export const setOption: OptionSpec = {
  flags: '--set <key=value>',
  says: 'Set any setting; may be repeated.',
  many: true,
};

/** `--max-tasks` of `--max-tasks <n>`. */
export function longFlag({ flags }: OptionSpec): string {
  return /--[a-z-]+/.exec(flags)?.[0] ?? flags;
}

/** `--max-tasks <n>` is `maxTasks`. */
export function optionName(spec: OptionSpec): string {
  const word = longFlag(spec).replace(/^--/, '');
  return word.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
