// Which headings say when work is done, instead of naming work.

const acceptance =
  /^(?:acceptance(?: (?:criteria|tests?))?|definition of done|done (?:criteria|when)|(?:exit|success) criteria)(?![\p{L}\p{N}])/iu;

/** True for the words of such a heading. */
export function isAcceptance(heading: string): boolean {
  return acceptance.test(heading.replace(/[*_`]/g, '').replace(/^[^\p{L}\p{N}]+/u, ''));
}
