// Splits shell text into words, redirections and separators, with quotes removed. Expands nothing and never fails, whatever
// the text.

/** One token; `nested` holds the texts of command substitutions inside a word. */
export type ShellToken =
  | Readonly<{ kind: 'word'; text: string; nested: readonly string[] }>
  | Readonly<{ kind: 'redirect'; sign: string }>
  | Readonly<{ kind: 'heredoc'; text: string }>
  | Readonly<{ kind: 'separator' | 'open' | 'close' }>;

/** The tokens of a shell text in order; a here-document is where its body begins. */
export function readTokens(text: string): readonly ShellToken[] {
  const tokens: ShellToken[] = [];
  const awaited: Heredoc[] = [];
  let at = 0;
  while (at < text.length) {
    const blank = match(/(?:[ \t\r]|\\\n)+|#[^\n]*/y, text, at);
    const heredoc = match(/\d*<<(-?)[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|\\?([^\s;&|<>()'"]+))/y, text, at);
    const redirect = match(/\d*(?:<<<|<>|<&|<(?!\()|>>|>&|>\||>(?!\()|&>>?)/y, text, at);
    const mark = match(/[;&|()\n]|[<>](?=\()/y, text, at);
    if (blank) at += blank[0].length;
    else if (heredoc) {
      awaited.push({ indented: heredoc[1] === '-', delimiter: heredoc[2] ?? heredoc[3] ?? heredoc[4] ?? '' });
      at += heredoc[0].length;
    } else if (redirect) {
      tokens.push({ kind: 'redirect', sign: redirect[0].replace(/^\d+/, '') });
      at += redirect[0].length;
    } else if (mark?.[0] === '\n') {
      at += 1;
      for (const next of awaited.splice(0)) {
        const body = readHeredoc(text, at, next);
        tokens.push({ kind: 'heredoc', text: body.text });
        at = body.end;
      }
      tokens.push({ kind: 'separator' });
    } else if (mark) {
      tokens.push({ kind: mark[0] === '(' ? 'open' : mark[0] === ')' ? 'close' : 'separator' });
      at += 1;
    } else {
      const word = readWord(text, at);
      tokens.push({ kind: 'word', text: word.text, nested: word.nested });
      at = Math.max(word.end, at + 1);
    }
  }
  return tokens;
}

type Heredoc = Readonly<{ indented: boolean; delimiter: string }>;
type Part = Readonly<{ text: string; end: number; nested: readonly string[] }>;

function readHeredoc(
  text: string,
  from: number,
  { indented, delimiter }: Heredoc,
): { text: string; end: number } {
  const lines: string[] = [];
  let at = from;
  while (at < text.length) {
    const end = find(text, '\n', at);
    const line = text.slice(at, end);
    at = end + 1;
    if ((indented ? line.replace(/^\t+/, '') : line) === delimiter) break;
    lines.push(line);
  }
  return { text: lines.join('\n'), end: at };
}

function readWord(text: string, from: number): Part {
  let word = '';
  const nested: string[] = [];
  let at = from;
  while (at < text.length && !/[\s;&|()<>]/.test(text.charAt(at))) {
    const part = readPart(text, at);
    word += part.text;
    nested.push(...part.nested);
    at = part.end;
  }
  return { text: word, end: at, nested };
}

function readPart(text: string, at: number): Part {
  const char = text.charAt(at);
  if (char === "'") return literal(text, at, find(text, "'", at + 1));
  if (char === '"') return readDoubleQuoted(text, at);
  if (char === '\\') return { text: text.slice(at + 1, at + 2).replace('\n', ''), end: at + 2, nested: [] };
  return readExpansion(text, at) ?? { text: char, end: at + 1, nested: [] };
}

function literal(text: string, open: number, close: number): Part {
  return { text: text.slice(open + 1, close), end: close + 1, nested: [] };
}

function readDoubleQuoted(text: string, open: number): Part {
  let word = '';
  const nested: string[] = [];
  let at = open + 1;
  while (at < text.length && text.charAt(at) !== '"') {
    const escaped = match(/\\(["\\$`\n])/y, text, at);
    const part = escaped
      ? { text: (escaped[1] ?? '').replace('\n', ''), end: at + 2, nested: [] }
      : (readExpansion(text, at) ?? { text: text.charAt(at), end: at + 1, nested: [] });
    word += part.text;
    nested.push(...part.nested);
    at = part.end;
  }
  return { text: word, end: at + 1, nested };
}

/** `$(…)`, backticks and `${…}`: kept in the word as written. */
function readExpansion(text: string, at: number): Part | undefined {
  if (text.startsWith('${', at)) {
    const end = find(text, '}', at) + 1;
    return { text: text.slice(at, end), end, nested: [] };
  }
  const open = text.startsWith('$(', at) ? at + 1 : text.charAt(at) === '`' ? at : undefined;
  if (open === undefined) return undefined;
  const close = open === at ? find(text, '`', at + 1) : closingParenthesis(text, open);
  const inner = text.slice(open + 1, close);
  return { text: `$(${inner})`, end: close + 1, nested: inner.startsWith('(') ? [] : [inner] };
}

function closingParenthesis(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\\') at += 1;
    else if (char === "'") at = find(text, "'", at + 1);
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function find(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found < 0 ? text.length : found;
}
