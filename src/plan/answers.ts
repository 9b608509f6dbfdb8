// Parses answers prepared in a file for a planner's questions, and finds the one that fits a question. The caller decides
// about questions without one.
import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from 'yaml';
import { preferredOption, type Question } from './question.ts';

/** A problem in the file of answers; line and column count from 1. */
export type AnswersProblem = Readonly<{ line: number; column: number; text: string }>;

type Answer = Readonly<{
  /** As written: a part of the question's words, or `/a regular expression/`; undefined: the default. */
  pattern: string | undefined;
  matches: (words: string) => boolean;
  /** As written: an option's label or number, `recommended`, or free text. */
  text: string;
  line: number;
}>;

/** All answers of a file, in order. */
export type Answers = readonly Answer[];

export type AnswersReading = Readonly<{ answers: Answers } | { problems: readonly AnswersProblem[] }>;

export type AnswerFound = Readonly<{
  /** The chosen option's label, or free text. */
  answer: string;
  /** Which option it is, from 0; absent: free text. */
  option?: number;
  /** Where the answer comes from, e.g. `answers.yaml:3, for “cache”`. */
  because: string;
}>;

const form = 'answers are written as `part of the question: answer`, one per line';

/**
 * Parses answers: a map, or a list of one-pair maps or `{question, answer}`; also below a key `answers`. `default` is for
 * all other questions.
 */
export function parseAnswers(text: string): AnswersReading {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problemAt: ProblemAt = (offset, said) => {
    const { line, col: column } = lines.linePos(offset);
    return { line, column, text: said };
  };
  const wrong = document.errors.map((error) =>
    problemAt(error.pos[0], error.message.replace(/\s+/g, ' ').trim()),
  );
  if (wrong.length > 0) return { problems: wrong };
  const read = readNode(document.contents as Node | null, problemAt);
  const problems = read.filter((one) => 'column' in one);
  const answers = read.filter((one) => 'matches' in one);
  if (problems.length === 0 && answers.length === 0)
    return { problems: [problemAt(0, `there is no answer in it: ${form}`)] };
  const defaults = answers.filter(({ pattern }) => pattern === undefined);
  const second = defaults[1];
  if (second) problems.push({ line: second.line, column: 1, text: 'there is a second default' });
  return problems.length > 0 ? { problems } : { answers };
}

type ProblemAt = (offset: number, said: string) => AnswersProblem;
type AnswerEntries = (Answer | AnswersProblem)[];

function readNode(node: Node | null, problemAt: ProblemAt): AnswerEntries {
  if (node === null || (isScalar(node) && node.value === null)) return [];
  if (isSeq(node)) return node.items.flatMap((item) => readItem(item as Node | null, problemAt));
  if (isMap(node)) return node.items.flatMap((pair) => readPair(pair as Pair<Node, Node | null>, problemAt));
  return [problemAt(node.range?.[0] ?? 0, form)];
}

function readItem(item: Node | null, problemAt: ProblemAt): AnswerEntries {
  if (!isMap(item)) return [problemAt(item?.range?.[0] ?? 0, form)];
  const pairs = item.items as Pair<Node, Node | null>[];
  const find = (name: string) => pairs.find(({ key }) => wordsOf(key) === name);
  const [question, answer] = [find('question'), find('answer')];
  if (!question && !answer) return readNode(item, problemAt);
  const at = item.range?.[0] ?? 0;
  const other = pairs.find((pair) => pair !== question && pair !== answer);
  if (other) return [problemAt(other.key.range?.[0] ?? at, 'only `question` and `answer` are known')];
  if (!question) return [problemAt(at, 'the `question` that this answers is missing')];
  if (!answer) return [problemAt(at, 'the `answer` to this question is missing')];
  return [readAnswer(question.value, answer.value, { at, problemAt })];
}

function readPair({ key, value }: Pair<Node, Node | null>, problemAt: ProblemAt): AnswerEntries {
  if (wordsOf(key) === 'answers' && (isMap(value) || isSeq(value))) return readNode(value, problemAt);
  return [readAnswer(key, value, { at: key.range?.[0] ?? 0, problemAt })];
}

function readAnswer(
  key: Node | null,
  value: Node | null,
  { at, problemAt }: Readonly<{ at: number; problemAt: ProblemAt }>,
): Answer | AnswersProblem {
  const [pattern, text] = [wordsOf(key), wordsOf(value)];
  if (pattern === undefined)
    return problemAt(at, 'a question is named by a part of its words, or by /an expression/');
  if (pattern === '')
    return problemAt(at, 'an empty text is a part of every question: write `default` for that');
  if (text === undefined || text === '')
    return problemAt(
      at,
      `“${pattern}” has no answer: write an option’s label or number, \`recommended\`, or own words`,
    );
  const { line } = problemAt(at, '');
  if (pattern.toLowerCase() === 'default') return { pattern: undefined, matches: () => true, text, line };
  const matches = matcherOf(pattern);
  return typeof matches === 'string' ? problemAt(at, matches) : { pattern, matches, text, line };
}

/** Numbers and booleans as written, since `1.10` must stay `1.10`. */
function wordsOf(node: Node | null): string | undefined {
  if (!isScalar(node) || node.value === null) return undefined;
  return (typeof node.value === 'string' ? node.value : (node.source ?? String(node.value))).trim();
}

function matcherOf(pattern: string): Answer['matches'] | string {
  const [, source, flags = ''] = /^\/(.+)\/([dgimsuvy]*)$/s.exec(pattern) ?? [];
  if (source === undefined) return (words) => words.toLowerCase().includes(pattern.toLowerCase());
  try {
    // Without the flags `g` and `y`, which make an expression stateful.
    const expression = new RegExp(source, flags.replace(/[gy]/g, ''));
    return (words) => expression.test(words);
  } catch (error) {
    return `${pattern} is not a regular expression: ${(error as Error).message.replace(/^.*: /, '')}`;
  }
}

/** The first answer that fits a question, else the default; undefined if there is neither. `file`: how to name the file. */
export function answerOf(answers: Answers, question: Question, file: string): AnswerFound | undefined {
  const words = [question.header, question.question].filter((part) => part !== undefined).join('\n');
  const found =
    answers.find(({ pattern, matches }) => pattern !== undefined && matches(words)) ??
    answers.find(({ pattern }) => pattern === undefined);
  if (!found) return undefined;
  const what = found.pattern === undefined ? 'the default' : `for “${found.pattern}”`;
  return { ...readChoice(found.text, question), because: `${file}:${found.line}, ${what}` };
}

/**
 * What a person's words choose: an option by label or number, the `recommended` or `first` one; else they are the answer
 * themselves.
 */
export function readChoice(words: string, question: Question): Pick<AnswerFound, 'answer' | 'option'> {
  const said = words.trim();
  const { options } = question;
  const isSaid = (text: string) => text.toLowerCase() === said.toLowerCase();
  const at = [
    options.findIndex(({ label }) => isSaid(label)),
    /^\d+$/.test(said) && options[Number(said) - 1] ? Number(said) - 1 : -1,
    // A question without options recommends nothing.
    isSaid('recommended') && options.length > 0 ? options.indexOf(preferredOption(question)) : -1,
    isSaid('first') ? 0 : -1,
  ].find((one) => one !== -1);
  const option = at === undefined ? undefined : options[at];
  return at === undefined || !option ? { answer: said } : { answer: option.label, option: at };
}
