// The journal as a file: what is appended is read back, whatever a crash left of the last line.
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventVersion, type Fact } from '../../src/event.ts';
import { Failure } from '../../src/failure.ts';
import { Journal } from '../../src/journal/journal.ts';
import { maskSecrets } from '../../src/journal/mask.ts';
import {
  findDamage,
  JournalReader,
  readIfSound,
  readJournal,
  readState,
} from '../../src/journal/read-journal.ts';
import { journalFile } from '../../src/journal/run-files.ts';
import { arbitraryFact } from '../helpers/arbitrary-fact.ts';
import { fact, sampleFacts, setAside } from '../helpers/facts.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const at = new Date('2026-11-21T22:30:00.000Z');

function write(folder: string, facts: readonly Fact[]): void {
  const journal = new Journal(folder);
  for (const each of facts) journal.append(each, at);
  journal[Symbol.dispose]();
}

function stamped(facts: readonly Fact[]) {
  return facts.map((each) => ({ v: eventVersion, at: at.toISOString(), ...each }));
}

it('reads back every fact as it was appended', () => {
  using folder = makeTempFolder();
  const facts = Object.values(sampleFacts);
  write(folder.path, facts);
  expect(readJournal(folder.path)).toEqual(stamped(facts));
});

it('reads back any fact, also long lists and half characters', () => {
  fc.assert(
    fc.property(fc.array(arbitraryFact(), { maxLength: 5 }), (facts) => {
      using folder = makeTempFolder();
      write(folder.path, facts);
      // JSON knows no negative zero.
      expect(readJournal(folder.path)).toEqual(JSON.parse(JSON.stringify(stamped(facts))));
    }),
    { numRuns: 60 },
  );
  using folder = makeTempFolder();
  const files = Array.from({ length: 5000 }, (_, index) => `file-${index}\ud800`);
  write(folder.path, [fact('files-made', { files })]);
  expect(readJournal(folder.path)).toEqual(stamped([fact('files-made', { files })]));
});

it('cut at any byte, reads back as a prefix, and goes on from there', () => {
  using folder = makeTempFolder();
  const facts = [fact('run-started', { title: 'Ümläut 👍\nand more' }), fact('plan-read'), fact('noticed')];
  write(folder.path, facts);
  const file = path.join(folder.path, journalFile);
  const bytes = readFileSync(file);
  for (let length = 0; length <= bytes.length; length += 1) {
    writeFileSync(file, bytes.subarray(0, length));
    const whole = bytes.subarray(0, length).toString('latin1').split('\n').length - 1;
    expect(readJournal(folder.path)).toEqual(stamped(facts.slice(0, whole)));
    if (length % 40 !== 0) continue;
    write(folder.path, [fact('waited')]);
    expect(readJournal(folder.path)).toEqual(stamped([...facts.slice(0, whole), fact('waited')]));
  }
});

describe('what is no journal', () => {
  it.each([
    ['not JSON', 'nonsense\n'],
    ['an unknown fact', '{"v":10,"at":"x","type":"unheard-of"}\n'],
    ['a fact without its stamp', '{"type":"waited","how":"time"}\n'],
    [
      'a fact of a later version',
      '{"v":11,"at":"x","type":"waited","how":"time"}\n',
      'was written by a later',
    ],
    [
      'a fact of an earlier version',
      '{"v":1,"at":"2026-01-02T03:04:05.000Z","type":"waited","how":"time"}\n',
      'was written by an earlier',
    ],
    ['an empty line', '\n'],
    ['what a power cut left', '\0\0\0\n'],
  ])('%s is a Failure that names the line', (_name, text, says = 'is not a line') => {
    using folder = makeTempFolder();
    write(folder.path, [fact('waited')]);
    appendFileSync(path.join(folder.path, journalFile), text);
    expect(() => readJournal(folder.path)).toThrow(`journal.ndjson:2 ${says}`);
  });

  it('no file at all is a Failure', () => {
    using folder = makeTempFolder();
    expect(() => readJournal(folder.path)).toThrow(Failure);
  });
});

describe('a journal as it grows', () => {
  const begun = [fact('run-started'), fact('plan-read')];

  it('is read and folded no further than it has grown, and once for all who ask', () => {
    using folder = makeTempFolder();
    write(folder.path, begun);
    const reader = new JournalReader(folder.path, { keepsFacts: true });
    expect([reader.look(), reader.look()]).toEqual([true, false]);
    const [first] = reader.facts;
    appendFileSync(path.join(folder.path, journalFile), '{"v":10,"at":');
    expect([reader.look(), reader.facts.length]).toEqual([true, 2]);
    const before = readState(folder.path);
    expect(readState(folder.path)).toBe(before);
    write(folder.path, [setAside('parked')]);
    expect(reader.look()).toBe(true);
    expect(reader.facts[0]).toBe(first);
    expect(reader.state?.tasks.get('2')?.standing.is).toBe('parked');
    expect(readState(folder.path)).toEqual(reader.state);
  });

  it('that another has replaced or damaged is read anew', () => {
    using folder = makeTempFolder();
    const file = path.join(folder.path, journalFile);
    const reader = new JournalReader(folder.path);
    reader.look();
    expect(reader.damage?.message).toContain('cannot read the journal');
    write(folder.path, begun);
    reader.look();
    expect([reader.damage, reader.state?.tasks.size]).toEqual([undefined, 2]);
    appendFileSync(file, 'nonsense\n');
    reader.look();
    expect([reader.damage?.message, reader.state]).toEqual([
      `${file}:3 is not a line of pawl's journal`,
      undefined,
    ]);
    rmSync(file);
    write(folder.path, [...begun, setAside('parked')]);
    reader.look();
    expect([reader.damage, reader.state?.tasks.get('2')?.standing.is]).toEqual([undefined, 'parked']);
  });

  it('without a beginning is damaged, without a line not', () => {
    using folder = makeTempFolder();
    write(folder.path, []);
    expect([findDamage(folder.path), readState(folder.path)]).toEqual([undefined, undefined]);
    write(folder.path, [fact('waited')]);
    expect(findDamage(folder.path)?.message).toContain('does not start with the beginning of a run');
    expect(readIfSound(folder.path)).toBeUndefined();
  });
});

it('an append that fails is a Failure of the disk', () => {
  using folder = makeTempFolder();
  const journal = new Journal(folder.path);
  journal.append(fact('waited'), at);
  journal[Symbol.dispose]();
  try {
    journal.append(fact('waited'), at);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
    expect((error as Failure).exit).toBe(8);
  }
  expect(readJournal(folder.path)).toHaveLength(1);
});

describe('secrets', () => {
  const env = {
    API_TOKEN: 'sk-12345678',
    DB_PASSWORD: 'unchecked',
    PIN_KEY: '20261121',
    NOTE_KEY: 'notes.txt',
  };

  it('are masked in what is said, and what is appended says the same', () => {
    using folder = makeTempFolder();
    const journal = new Journal(folder.path, maskSecrets(env));
    const appended = journal.append(setAside('failed', { reason: 'curl -H sk-12345678 failed' }), at);
    journal[Symbol.dispose]();
    expect(readJournal(folder.path)).toEqual([appended]);
    expect(appended).toMatchObject({ reason: 'curl -H [API_TOKEN] failed' });
  });

  it('that are words or numbers of the journal itself break no line and hide no file', () => {
    using folder = makeTempFolder();
    const journal = new Journal(folder.path, maskSecrets(env));
    const facts = [
      fact('run-started'),
      fact('task-closed', { proof: 'unchecked', reason: 'unchecked by 20261121' }),
      fact('clock-rang', { afterMs: 20261121 }),
    ];
    for (const each of facts) journal.append(each, at);
    journal[Symbol.dispose]();
    const [started, closed, clock] = readJournal(folder.path);
    expect(started).toMatchObject({ run: '20261121-223005-auth', untracked: ['notes.txt'] });
    expect(closed).toMatchObject({ proof: 'unchecked', reason: '[DB_PASSWORD] by [PIN_KEY]' });
    expect(clock).toMatchObject({ afterMs: 20261121 });
  });
});
