// Searches for words in what the journals of runs say: titles, reasons, commands of checks, findings, notes. The newest
// runs are read first, for a bounded time; nothing is kept.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { defined } from '../defined.ts';
import type { Fact, Stamped } from '../event.ts';
import { maskFact } from '../journal/mask.ts';
import { parseFact } from '../journal/replay.ts';
import { journalFile } from '../journal/run-files.ts';
import type { ListedRun } from './listed-runs.ts';
import type { Hit, SearchResult } from './view.ts';

const mostOfRun = 3;
const most = 60;
/** The longest search, milliseconds. */
const mostMs = 3_000;
const width = 160;

type SearchRequest = Readonly<{ words: string; mask: (text: string) => string; signal: AbortSignal }>;

export async function searchRuns(
  runs: readonly Pick<ListedRun, 'id' | 'found'>[],
  { words, mask, signal }: SearchRequest,
): Promise<SearchResult> {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const until = performance.now() + mostMs;
  const hits: Hit[] = [];
  if (wanted.length === 0) return { hits, isWhole: true };
  for (const { id, found } of runs) {
    if (signal.aborted || hits.length >= most || performance.now() > until) return { hits, isWhole: false };
    const text = await readFile(path.join(found.folder, journalFile), 'utf8').catch(() => '');
    for (const hit of hitsIn(text, wanted, mask)) hits.push({ run: id, ...hit });
  }
  return { hits, isWhole: true };
}

/** The first hits in a journal, each text once. */
export function hitsIn(
  journal: string,
  words: readonly string[],
  mask: (text: string) => string,
): readonly Omit<Hit, 'run'>[] {
  // As they appear in JSON.
  const inJson = words.map((word) => JSON.stringify(word).slice(1, -1));
  const isIn = (text: string, all: readonly string[]): boolean => {
    const lower = text.toLowerCase();
    return all.every((word) => lower.includes(word));
  };
  if (!isIn(journal, inJson)) return [];
  const hits = new Map<string, Omit<Hit, 'run'>>();
  for (const line of journal.split('\n')) {
    const fact = isIn(line, inJson) ? parseFact(line) : undefined;
    if (!fact || hits.size >= mostOfRun) continue;
    // A masked secret is not found either.
    const text = textsOf(fact)
      .map(mask)
      .find((each) => isIn(each, words));
    const task = 'task' in fact ? fact.task : undefined;
    if (text !== undefined && !hits.has(text))
      hits.set(text, { text: cutAround(text, words[0] ?? ''), ...defined({ task }) });
  }
  return [...hits.values()];
}

/** The words in a fact. A start contains only names, which the list already shows. */
function textsOf(fact: Stamped<Fact>): readonly string[] {
  if (fact.type === 'run-started' || fact.type === 'run-resumed') return [];
  if (fact.type === 'opinion-given')
    return fact.findings.map(({ file, title, evidence, suggestion }) =>
      [file, title, evidence, suggestion].filter(Boolean).join(' · '),
    );
  const texts: string[] = [];
  maskFact(fact, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

function cutAround(text: string, word: string): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  const at = Math.max(0, plain.toLowerCase().indexOf(word) - width / 3);
  const cut = plain.slice(at, at + width);
  return `${at > 0 ? '…' : ''}${cut}${at + width < plain.length ? '…' : ''}`;
}
