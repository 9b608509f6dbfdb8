// Parses shell text into its simple commands, well enough to see which programs and files it names. Expands nothing.
import { readTokens, type ShellToken } from './shell-tokens.ts';

/** One simple command: its words with quotes removed, and its input. */
export type SimpleCommand = Readonly<{
  words: readonly string[];
  /** File after `<`. */
  inputFile?: string;
  /** Text of a here-document or here-string. */
  inputText?: string;
}>;

/** A command, or the edge of a subshell, which limits the effect of a `cd`. */
export type ShellPiece = SimpleCommand | 'open' | 'close';

/** The commands of a shell text in order, including those inside `$(…)` and backticks. */
export function readCommands(text: string, depth = 0): readonly ShellPiece[] {
  if (depth > nestingLimit) return [];
  const pieces: ShellPiece[] = [];
  let draft: Draft = { words: [] };
  const endCommand = (): void => {
    const words = nameFirst(draft.words);
    if (words.length > 0) pieces.push({ ...draft, words });
    draft = { words: [] };
  };
  let redirect: string | undefined;
  for (const token of readTokens(text)) {
    if (token.kind === 'word') {
      for (const inner of token.nested) pieces.push('open', ...readCommands(inner, depth + 1), 'close');
      addWord(draft, token.text, redirect);
      redirect = undefined;
    } else {
      redirect = token.kind === 'redirect' ? token.sign : undefined;
      if (token.kind === 'heredoc') draft.inputText = token.text;
      if (token.kind === 'separator' || isEdge(token)) endCommand();
      if (isEdge(token)) pieces.push(token.kind);
    }
  }
  endCommand();
  return pieces;
}

type Draft = { words: string[]; inputFile?: string; inputText?: string };
type Edge = Extract<ShellToken, { kind: 'open' | 'close' | 'separator' }> & { kind: 'open' | 'close' };

const nestingLimit = 8;
const keywords = /^(?:if|then|elif|else|fi|while|until|do|done|esac|coproc|time|[{}!])$/;
/** Words after these name no program until the next separator. */
const headers = /^(?:for|case|select|function|\[\[)$/;

function addWord(draft: Draft, word: string, redirect: string | undefined): void {
  if (redirect === undefined) draft.words.push(word);
  else if (redirect === '<') draft.inputFile = word;
  else if (redirect === '<<<') draft.inputText = word;
}

function nameFirst(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !keywords.test(word));
  if (first < 0 || headers.test(words[first] ?? '')) return [];
  return words.slice(first);
}

const isEdge = (token: ShellToken): token is Edge => token.kind === 'open' || token.kind === 'close';
