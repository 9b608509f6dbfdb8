// Builds a task from its section.
import path from 'node:path';
import { defined } from '../defined.ts';
import { parseDuration } from '../duration.ts';
import { type Attribute, type AttributeKey, readAttributes, spanOf, type Value } from './attributes.ts';
import { strayChecks } from './headings.ts';
import {
  checksOf,
  commandOfFence,
  commandOfSpan,
  isFileName,
  type PlanCommand,
} from './markdown-commands.ts';
import type { PlanNote, Step, Task } from './plan.ts';
import { hasManualMark, manualBlocks, readSteps, type Steps } from './steps.ts';
import { noteAt, type Section, type Source } from './text-position.ts';

type Scalar = 'exclusive' | 'refactor' | 'model' | 'agent' | 'budget' | 'timeout' | 'cwd';

/** `isProse`: text that cannot be meant as a value, since the key is an everyday word. */
type Shape = Readonly<{ words: string; fits: (text: string) => boolean; isProse?: RegExp }>;

const words = /^\S+\s+\S/;
const yesOrNo: Shape = {
  words: '`true` or `false`',
  fits: (text) => /^(?:true|false)$/.test(text),
  isProse: words,
};
const isWord = (text: string) => /^[^\s-]\S*$/.test(text);

const shapes: Readonly<Record<Scalar, Shape>> = {
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
function stepsOf(section: Section, source: Source): Steps {
  const left = manualBlocks(section.blocks, source);
  const { steps, notes } = readSteps(
    section.blocks.filter((block) => !left.has(block)),
    source,
  );
  const manual = readSteps([...left], source);
  const own = [...headingStep(section, source), ...steps];
  const all = [
    ...(own.length > 0 ? own : implicitSteps(section, source)),
    ...manual.steps.map((step) => ({ ...step, manual: true })),
  ];
  return {
    steps: all.toSorted((one, other) => one.box.offset - other.box.offset),
    notes: [...notes, ...manual.notes],
  };
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

export function readTask(
  section: Section,
  source: Source,
): Readonly<{ task: Task; notes: readonly PlanNote[] }> {
  const { steps, notes: stepNotes } = stepsOf(section, source);
  const { attributes, notes: keyNotes } = readAttributes(section.blocks, source);
  const of = (key: AttributeKey) => attributes.filter((attribute) => attribute.key === key);
  const proofs = of('check').flatMap((attribute) => readProofs(attribute, source));
  const commands = proofs.flatMap((proof) => proof.command ?? []);
  const depends = of('depends');
  const files = listOf(of('files')).filter((file) => file !== 'none');
  const [tools, redefines] = [listOf(of('tools')), listOf(of('redefines'))];
  const {
    values: { exclusive, refactor, ...values },
    notes: scalarNotes,
  } = readScalars(attributes, source);
  const task: Task = {
    id: section.id,
    title: section.title,
    steps,
    checks: checksOf(commands, 'task', `task:${section.id}`, source),
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
  const emptyNotes = valueless(attributes, source);
  const proofNotes = proofs.flatMap((proof) => proof.notes);
  const strays = section.blocks.flatMap((block) => strayChecks(block, source));
  return {
    task,
    notes: [...stepNotes, ...strays, ...keyNotes, ...proofNotes, ...emptyNotes, ...scalarNotes],
  };
}

const lists: ReadonlySet<AttributeKey> = new Set(['criterion', 'files', 'tools', 'redefines', 'depends']);

function valueless(attributes: readonly Attribute[], source: Source): readonly PlanNote[] {
  return attributes
    .filter(({ key, values }) => lists.has(key) && values.length === 0)
    .map((one) =>
      valueNote(source, one, 'error', `\`${one.spelled}:\` has no value: give it one, or remove the line`),
    );
}

type Proof = Readonly<{ command?: PlanCommand; criterion?: string; notes: readonly PlanNote[] }>;

function readProofs(attribute: Attribute, source: Source): Proof[] {
  if (attribute.values.length > 0)
    return attribute.values.map((value) => readProof(value, attribute, source));
  const message = `\`${attribute.spelled}:\` has no command: write "${attribute.spelled}: \`command\`"`;
  return [{ notes: [noteAt(source, attribute.offset, { rule: 'empty-check', severity: 'error', message })] }];
}

function readProof(value: Value, { spelled, name }: Attribute, source: Source): Proof {
  const span = spanOf(value);
  // `Verify: \`ci.yml\`` asks to look at the file.
  if (span && spelled !== spelled.toLowerCase() && isFileName(span.value)) return { notes: [] };
  const command =
    value.kind === 'fence'
      ? commandOfFence(value.code, source)
      : span && commandOfSpan(span, value.paragraph, source);
  if (command) {
    // Claims beyond the exit code are for reviewers.
    const claimed = command.claim && value.kind === 'words' ? { criterion: value.text } : {};
    return { command: { ...command, ...defined({ name }) }, ...claimed, notes: command.notes };
  }
  const text = value.kind === 'words' ? value.text : value.code.value;
  const message = `\`${spelled}:\` has no command in backticks, so nothing runs it and only reviewers judge it: write "${spelled}: \`command\`", or name it \`criterion:\``;
  // `check:` promises a command.
  const severity = spelled === 'check' ? 'error' : 'warning';
  return {
    criterion: text,
    notes: [noteAt(source, value.offset, { rule: 'no-command', severity, message })],
  };
}

function textsOf(attributes: readonly Attribute[]): string[] {
  return attributes.flatMap(({ values }) =>
    values.map((value) => (value.kind === 'words' ? value.text : value.code.value)),
  );
}

function readScalars(attributes: readonly Attribute[], source: Source) {
  const values: Partial<Record<Scalar, string>> = {};
  const notes = attributes.flatMap((attribute): PlanNote[] => {
    const { key } = attribute;
    if (!isScalar(key)) return [];
    const written = textsOf([attribute]).join(' ');
    const text = /^`([^`]*)`$/.exec(written)?.[1]?.trim() ?? written;
    const { fits, isProse, words: form } = shapes[key];
    if (values[key] === undefined && fits(text)) {
      values[key] = text;
      return [];
    }
    const says = (problem: string) => `\`${key}: ${text}\` ${problem}`;
    if (isProse?.test(text))
      return [
        valueNote(
          source,
          attribute,
          'warning',
          says(`is read as prose; as the attribute it must be ${form}`),
        ),
      ];
    const wrong = values[key] !== undefined ? 'appears twice; keep one' : `must be ${form}`;
    return [valueNote(source, attribute, 'error', says(wrong))];
  });
  return { values, notes };
}

function isScalar(key: AttributeKey): key is Scalar {
  return key in shapes;
}

function valueNote(
  source: Source,
  { offset }: Attribute,
  severity: PlanNote['severity'],
  message: string,
): PlanNote {
  return noteAt(source, offset, { rule: 'attribute-value', severity, message });
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
