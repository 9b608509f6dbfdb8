// What people say about a merge request on GitLab, by glab: notes of its discussions, and answers.
import { z } from 'zod';
import { type AnyComment, listUnanswered, markAnswer } from './answers.ts';
import type { Forge } from './forge.ts';
import { askOnce, type ForgeApi } from './program.ts';

/** A developer's access level. */
export const mayPushFrom = 30;

export function commentsOfGitLab(api: ForgeApi): Pick<Forge, 'comments' | 'answer'> {
  const { json, pages } = api;
  return {
    comments: async (number) => {
      const mayWrite = askOnce((id: number) => hasWriteAccess(api, id));
      const path = `/merge_requests/${number}/discussions`;
      const found = await pages(path, (page) => discussionSchema.array().parse(page));
      const comments: AnyComment[] = [];
      for (const { id, notes } of found)
        for (const { author, ...note } of notes) {
          if (note.system || note.resolved) continue;
          const { new_path: file, new_line: line } = note.position ?? {};
          const isBot = author.bot ?? false;
          comments.push({
            id: `${id}-${note.id}`,
            ...{ at: note.created_at, text: note.body, author: author.username, isBot },
            mayWrite: !isBot && (await mayWrite(author.id)),
            ...(file ? { file, line: line ?? 0 } : {}),
          });
        }
      return listUnanswered(comments);
    },
    answer: async (number, comment, { text, resolve }) => {
      const thread = `/merge_requests/${number}/discussions/${comment.id.split('-', 1)[0]}`;
      const body = { body: markAnswer(comment, text) };
      await json({ method: 'POST', does: 'answer', path: `${thread}/notes`, body });
      // Only threads about a line can be resolved.
      if (resolve && comment.file !== undefined)
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

async function hasWriteAccess({ json }: ForgeApi, id: number): Promise<boolean> {
  const answer = await json({ path: `/members/all/${id}` }).catch(() => undefined);
  return (z.object({ access_level: z.number() }).safeParse(answer).data?.access_level ?? 0) >= mayPushFrom;
}
