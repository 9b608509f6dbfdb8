// The log of a job as text: without escape sequences, time stamps and the marks by which forges fold it. Pure.
import { stripVTControlCharacters } from 'node:util';

/** GitHub's time; GitLab's also has the number of a stream. */
const stamp = /^\d{4}-\d\d-\d\dT[\d:.]+Z (?:\d\d[OE][ +]?)?/;

const marks = /^##\[(?:end)?group\]|section_(?:start|end):\d+:\S*/g;

/** Controls but tabs, and what reorders a line. */
const unclean = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

export function cleanLog(log: string): string {
  return log
    .split('\n')
    .map((line) =>
      stripVTControlCharacters(line.replace(stamp, ''))
        // Keeps what a progress bar wrote last.
        .replace(/^.*\r(?=.)/s, '')
        .replaceAll(marks, '')
        .replaceAll(unclean, ''),
    )
    .join('\n')
    .trim();
}
