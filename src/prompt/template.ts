// Fills `{{NAME}}` places in a markdown template. An unknown name is an error that says where, never an empty text.
import { Failure } from '../failure.ts';

/** A prompt's text with the file it is from, for error messages. */
export type Template = Readonly<{ name: string; file: string; text: string }>;

const place = /\{\{\s*([A-Za-z][A-Za-z0-9_:-]*)\s*\}\}/g;

/** The template with every place filled; a name without a value is a Failure naming file, line and the names there are. */
export function fillTemplate(template: Template, values: Readonly<Record<string, string>>): string {
  // HTML comments are notes for who edits the template, not for the agent.
  const text = template.text.replaceAll(/<!--[\s\S]*?-->\n?/g, (comment) =>
    '\n'.repeat(comment.split('\n').length - 1),
  );
  const filled = text.replaceAll(place, (whole, name: string, offset: number) => {
    const value = values[name];
    if (value !== undefined) return value;
    const line = text.slice(0, offset).split('\n').length;
    throw new Failure('config', `${template.file}:${line}: ${whole} is not a name this template knows`, {
      hint: `It knows ${Object.keys(values).sort().join(', ')}.`,
    });
  });
  return `${filled.replaceAll(/\n{3,}/g, '\n\n').trim()}\n`;
}
