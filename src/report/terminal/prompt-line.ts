// Formats the line that a person types at the bottom of a terminal. Pure.
import { cleanText } from '../text/line.ts';
import { cutToWidth, widthOf } from '../text/width.ts';

/** `hint`: what ends it. */
export type Prompt = Readonly<{ label: string; text: string; hint: string }>;

const cursor = '▏';

/** The hint is dropped first, then the beginning of the text. */
export function promptLine({ label, text, hint }: Prompt, columns: number): string {
  const head = `${label} › `;
  const whole = `${head}${cleanText(text)}${cursor}`;
  const hinted = `${whole}  ${hint}`;
  if (widthOf(hinted) <= columns) return hinted;
  if (widthOf(whole) <= columns) return whole;
  const room = columns - widthOf(head) - widthOf(cursor) - 1;
  return room < 1 ? cutToWidth(whole, columns) : `${head}…${endOf(cleanText(text), room)}${cursor}`;
}

function endOf(text: string, columns: number): string {
  let end = '';
  for (const character of [...text].reverse()) {
    if (widthOf(character + end) > columns) break;
    end = character + end;
  }
  return end;
}
