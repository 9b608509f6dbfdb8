// What a message is, whatever service carries it.
import type { Occasion } from '../config/schema.ts';

/** 1: for the record, silent. 3: usual. 5: a person is needed now. */
export type Priority = 1 | 2 | 3 | 4 | 5;

export type MessageTone = 'info' | 'success' | 'warning' | 'failure';

export type About = Readonly<{ run: string; title: string; plan: string; branch: string; mode: string }>;

/** What a program is told, besides the text. */
export type MessageEvent = Readonly<{
  occasion: Occasion | 'test';
  priority: Priority;
  about?: About;
  task?: string;
  command?: string;
  end?: Readonly<{
    exit: number;
    durationMs: number;
    files: number;
    insertions: number;
    deletions: number;
    error?: string;
  }>;
}>;

export type Message = Readonly<{
  title: string;
  body: string;
  tone: MessageTone;
  /** That of the most serious event. */
  priority: Priority;
  /** Most serious first. */
  events: readonly MessageEvent[];
}>;
