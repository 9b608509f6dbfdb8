// What people say about a merge request on GitLab, by glab: the notes of its discussions, and answers to them.
import { z } from 'zod';
import type { Forge, RequestComment } from './forge.ts';
import type { ForgeApi } from './program.ts';

/** The access level of a developer, who may push. */
export const mayPushFrom = 30;

export function commentsOfGitLab(api: ForgeApi): Pick<Forge, 'commentsSince' | 'answer'> {
  const { json, pages } = api;
  return {
    commentsSince: async (number, at) => {
      const path = `/merge_requests/${number}/discussions`;
      const found = await pages(path, (page) => discussionSchema.array().parse(page));
      const self = await ownId(api);
      const comments: RequestComment[] = [];
      for (const { id, notes } of found)
        for (const note of notes) {
          const { author } = note;
          if (note.system || note.resolved || author.bot || author.id === self || note.created_at <= at)
            continue;
          const { new_path: file, new_line: line } = note.position ?? {};
          const said = {
            id: `${id}-${note.id}`,
            at: note.created_at,
            author: author.username,
            text: note.body,
          };
          const where = file ? { file, line: line ?? 0 } : {};
          comments.push({ ...said, mayWrite: await hasWriteAccess(api, author.id), ...where });
        }
      return comments.sort((a, b) => (a.at < b.at ? -1 : 1));
    },
    answer: async (number, { id, file }, text) => {
      const thread = `/merge_requests/${number}/discussions/${id.split('-', 1)[0]}`;
      await json({ method: 'POST', does: 'answer', path: `${thread}/notes`, body: { body: text } });
      // Only what is said about a line can be resolved.
      if (file !== undefined)
        await json({ method: 'PUT', does: 'resolve', path: thread, body: { resolved: true } });
    },
  };
}

const discussionSchema = z.object({
  id: z.string(),
  notes: z.array(
    z.object({
      id: z.number(),
      body: z.string(),
      system: z.boolean(),
      resolved: z.boolean().optional(),
      created_at: z.string(),
      author: z.object({ id: z.number(), username: z.string(), bot: z.boolean().optional() }),
      position: z.object({ new_path: z.string().nullish(), new_line: z.number().nullish() }).nullish(),
    }),
  ),
});

async function ownId({ json }: ForgeApi): Promise<number | undefined> {
  const answer = await json({ path: 'user', elsewhere: true }).catch(() => undefined);
  return z.object({ id: z.number() }).safeParse(answer).data?.id;
}

async function hasWriteAccess({ json }: ForgeApi, id: number): Promise<boolean> {
  const answer = await json({ path: `/members/all/${id}` }).catch(() => undefined);
  return (z.object({ access_level: z.number() }).safeParse(answer).data?.access_level ?? 0) >= mayPushFrom;
}
