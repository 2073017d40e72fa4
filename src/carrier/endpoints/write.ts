import type { FastifyReply } from 'fastify';
import type { Reply } from '../builders/authorization.ts';

/** As text, so that the content type is the maker's to choose. */
export async function write(reply: FastifyReply, { status, headers, body }: Reply): Promise<void> {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  await reply
    .code(status)
    .headers({ ...type, ...headers })
    .send(JSON.stringify(body));
}
