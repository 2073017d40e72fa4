import { headersByName } from '../../judge/classify.ts';
import { readBody, type ReadBody } from '../../wire/read/read-body.ts';
import type { Response } from '../../wire/send/sent.ts';

/** Decodes the body of a response that belongs to no case. */
export const readResponse = ({ headers, body, bytes }: Response): ReadBody =>
  readBody({ headers: headersByName(headers), bytes: body, whole: bytes });
