// The receipt's part about the dialogue of `pawl plan`.
import type { DialogueFact } from '../../journal/fold-dialogue.ts';
import type { RunState } from '../../journal/state.ts';
import { type Block, block, code } from '../text/block.ts';
import { formatCount } from '../text/figure.ts';
import type { ReceiptOptions } from './receipt-task.ts';

/** `endTold`: the reader has just read how it ended. */
export function dialogueBlocks(
  { dialogue, started }: RunState,
  { endTold }: ReceiptOptions,
): readonly Block[] {
  if (!started.planning || endTold || dialogue.length === 0) return [];
  return [
    block('section', 'head', 'The dialogue'),
    ...dialogue.flatMap((word) => formatBlock(word, dialogue)),
  ];
}

/** Undefined if there is none, or none was wanted. */
export function findWritten({ dialogue }: Pick<RunState, 'dialogue'>): string | undefined {
  const last = dialogue.at(-1);
  return last?.state === 'written' ? last.to : undefined;
}

function formatBlock(word: DialogueFact, words: readonly DialogueFact[]): readonly Block[] {
  switch (word.state) {
    case 'asked': {
      const isAnswered = words.some(
        (other) => other.state === 'answered' && other.question === word.question,
      );
      return isAnswered ? [] : [item('warn', `Open: ${word.text}`)];
    }
    case 'answered': {
      const asked = words.find((other) => other.state === 'asked' && other.question === word.question);
      const text = asked?.state === 'asked' ? asked.text : '';
      const by = word.because === undefined ? '' : ` (${word.because})`;
      return [item('plain', `${text} → ${word.answer}${by}`)];
    }
    case 'drafted':
      return [item(word.errors.length > 0 ? 'warn' : 'plain', formatDraft(word))];
    case 'judged':
      return word.text === undefined
        ? []
        : [item('plain', `To draft ${word.draft}: ${firstLine(word.text)}`)];
    case 'tried':
      return word.problems.map((problem) => item('warn', `Draft ${word.draft}: ${problem}`));
    case 'corrected':
    case 'writing':
      return [];
    case 'written':
      return [block('item', 'good', 'The plan: ', code(word.to))];
  }
}

function formatDraft({
  draft,
  title,
  tasks,
  errors,
  notes,
  file,
}: Extract<DialogueFact, { type: 'dialogue'; state: 'drafted' }>): string {
  const wrong = errors.length + notes.length;
  const notesOn = wrong === 0 ? '' : `, ${formatCount(wrong, 'note')} on it`;
  return `Draft ${draft} (${file}): ${title}, ${formatCount(tasks, 'task')}${notesOn}`;
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length < text.length ? `${line} …` : line;
}

function item(tone: 'plain' | 'warn', text: string): Block {
  return block('item', tone, text);
}
