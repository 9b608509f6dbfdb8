// Builds a task from its section.
import path from 'node:path';
import { defined } from '../defined.ts';
import { parseDuration } from '../duration.ts';
import {
  type Attribute,
  type AttributeKey,
  readAttributes,
  type ScalarKey,
  type Value,
} from './attributes.ts';
import { noteStrayChecks } from './headings.ts';
import {
  checksOf,
  commandOfFence,
  commandOfSpan,
  isFileName,
  type PlanCommand,
  spanAt,
} from './markdown-commands.ts';
import type { Step, Task } from './plan.ts';
import { hasManualMark, manualBlocks, readSteps } from './steps.ts';
import type { Section, Source } from './text-position.ts';

/** `isProse`: text that cannot be meant as a value, since the key is an everyday word. */
type Shape = Readonly<{ words: string; fits: (text: string) => boolean; isProse?: RegExp }>;

const words = /^\S+\s+\S/;
const yesOrNo: Shape = {
  words: '`true` or `false`',
  fits: (text) => /^(?:true|false)$/.test(text),
  isProse: words,
};
const isWord = (text: string) => /^[^\s-]\S*$/.test(text);

const shapes: Readonly<Record<ScalarKey, Shape>> = {
  exclusive: yesOrNo,
  refactor: yesOrNo,
  model: { words: 'one word, e.g. `sonnet` or `sonnet:high`', fits: isWord, isProse: words },
  agent: { words: 'one word, e.g. `claude`', fits: isWord, isProse: words },
  budget: {
    isProse: /^\D+$/,
    words: 'US dollars, more than 0, e.g. `2.50`',
    fits: (text) => Number(/^\$?(\d+(?:\.\d+)?)$/.exec(text)?.[1]) > 0,
  },
  timeout: {
    isProse: /^\D+$/,
    words: 'a time with its unit, e.g. `30m`',
    fits: (text) => (parseDuration(text) ?? 0) > 0,
  },
  cwd: { words: 'a folder inside the repository, e.g. `packages/api`', fits: isFolderInside },
};

export function isFolderInside(text: string): boolean {
  const normal = path.posix.normalize(text);
  return text !== '' && !path.posix.isAbsolute(normal) && normal !== '..' && !normal.startsWith('../');
}

/** One in its heading first. If an agent has none of them, the title is a step. */
function stepsOf(section: Section, source: Source): readonly Step[] {
  const left = manualBlocks(section.blocks, source);
  const others = section.blocks.filter((block) => !left.has(block));
  const own = [...headingStep(section, source), ...readSteps(others, source)];
  const manual = readSteps([...left], source).map((step) => ({ ...step, manual: true }));
  const all = [...(own.length > 0 ? own : implicitSteps(section, source)), ...manual];
  return all.toSorted((one, other) => one.box.offset - other.box.offset);
}

function headingStep({ boxInHeading, title }: Section, source: Source): readonly Step[] {
  if (boxInHeading === undefined) return [];
  const ticked = /[xX]/.test(source.text[boxInHeading] ?? '');
  return [{ text: title, ticked, manual: hasManualMark(title), box: source.placeAt(boxInHeading) }];
}

/** The title, open until a box below says otherwise. */
function implicitSteps({ id, title, headEnd }: Section, source: Source): readonly Step[] {
  if (headEnd === undefined) return [];
  const text = title || `Task ${id}`;
  return [{ text, ticked: false, manual: hasManualMark(text), implicit: true, box: source.placeAt(headEnd) }];
}

/** `folder`: of its checks, unless it says another. */
export function readTask(section: Section, folder: string, source: Source): Task {
  const attributes = readAttributes(section.blocks, source);
  const of = (key: AttributeKey) => attributes.filter((attribute) => attribute.key === key);
  const proofs = of('check').flatMap((one) => one.values.map((value) => readProof(value, one, source)));
  const commands = proofs.flatMap((proof) => proof.command ?? []);
  const depends = of('depends');
  const files = listOf(of('files')).filter((file) => file !== 'none');
  const [tools, redefines] = [listOf(of('tools')), listOf(of('redefines'))];
  const { exclusive, refactor, ...values } = readScalars(attributes, source);
  noteValueless(attributes, source);
  noteStrayChecks(section.blocks, source);
  return {
    id: section.id,
    title: section.title,
    steps: stepsOf(section, source),
    checks: checksOf(
      commands,
      { scope: 'task', prefix: `task:${section.id}`, cwd: values.cwd ?? folder },
      source,
    ),
    criteria: [
      ...(section.criteria ?? []),
      ...proofs.flatMap((proof) => proof.criterion ?? []),
      ...textsOf(of('criterion')),
    ],
    files,
    depends: depends.length > 0 ? dependsIn(depends) : undefined,
    ...(depends[0] ? { dependsPlace: source.placeAt(depends[0].offset) } : {}),
    ...(tools.length > 0 ? { tools } : {}),
    ...(exclusive === 'true' ? { exclusive: true } : {}),
    ...(refactor === 'true' ? { refactor: true } : {}),
    ...(redefines.length > 0 ? { redefines } : {}),
    ...values,
    source: source.text.slice(section.start, section.end),
    place: source.placeAt(section.start),
  };
}

function noteValueless(attributes: readonly Attribute[], source: Source): void {
  for (const { key, values, spelled, offset } of attributes) {
    if (values.length > 0) continue;
    const command = `\`${spelled}:\` has no command: write "${spelled}: \`command\`"`;
    const value = `\`${spelled}:\` has no value: give it one, or remove the line`;
    if (key === 'check') source.note(offset, { rule: 'empty-check', severity: 'error', message: command });
    else if (!isScalar(key))
      source.note(offset, { rule: 'attribute-value', severity: 'error', message: value });
  }
}

type Proof = Readonly<{ command?: PlanCommand; criterion?: string }>;

function readProof({ text, offset, node }: Value, { spelled, name }: Attribute, source: Source): Proof {
  const span = node.type === 'paragraph' ? spanAt(node, offset) : undefined;
  // `Verify: \`ci.yml\`` asks to look at the file.
  if (span && spelled !== spelled.toLowerCase() && isFileName(span.value)) return {};
  const command =
    node.type === 'code' ? commandOfFence(node, source) : span && commandOfSpan(span, node, source);
  if (command) {
    // Claims beyond the exit code are for reviewers.
    const claimed = command.claim ? { criterion: text } : {};
    return { command: { ...command, ...defined({ name }) }, ...claimed };
  }
  const message = `\`${spelled}:\` has no command in backticks, so nothing runs it and only reviewers judge it: write "${spelled}: \`command\`", or name it \`criterion:\``;
  // `check:` promises a command.
  const severity = spelled === 'check' ? 'error' : 'warning';
  source.note(offset, { rule: 'no-command', severity, message });
  return { criterion: text };
}

function textsOf(attributes: readonly Attribute[]): string[] {
  return attributes.flatMap(({ values }) => values.map(({ text }) => text));
}

function readScalars(attributes: readonly Attribute[], source: Source): Partial<Record<ScalarKey, string>> {
  const values: Partial<Record<ScalarKey, string>> = {};
  for (const attribute of attributes) {
    const { key, offset } = attribute;
    if (!isScalar(key)) continue;
    const written = textsOf([attribute]).join(' ');
    const text = /^`([^`]*)`$/.exec(written)?.[1]?.trim() ?? written;
    const { fits, isProse, words: form } = shapes[key];
    const isTwice = values[key] !== undefined;
    if (!isTwice && fits(text)) {
      values[key] = text;
      continue;
    }
    const mayBeProse = isProse?.test(text) === true;
    const wrong = isTwice ? 'appears twice; keep one' : `must be ${form}`;
    const problem = mayBeProse ? `is read as prose; as the attribute it must be ${form}` : wrong;
    const message = `\`${key}: ${text}\` ${problem}`;
    const severity = mayBeProse ? 'warning' : 'error';
    source.note(offset, { rule: 'attribute-value', severity, message });
  }
  return values;
}

function isScalar(key: AttributeKey): key is ScalarKey {
  return key in shapes;
}

/** At commas outside brackets; of a part in backticks, only their content. */
function listOf(attributes: readonly Attribute[]): string[] {
  const parts = textsOf(attributes).flatMap(splitOutsideBrackets);
  return parts.map((part) => (/`([^`]+)`/.exec(part)?.[1] ?? part).trim()).filter((part) => part !== '');
}

function splitOutsideBrackets(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth = Math.max(0, depth - 1);
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}

function dependsIn(attributes: readonly Attribute[]): string[] {
  const ids = textsOf(attributes).flatMap((text) => text.replace(/[`#[\]]/g, '').split(/[\s,;&]+/));
  const named = ids.filter((id) => !/^(?:|task|tasks|iteration|iterations|and)$/i.test(id));
  return [...new Set(named.filter((id) => !/^none$/i.test(id)))];
}
