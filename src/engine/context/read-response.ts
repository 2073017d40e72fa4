import { headersByName } from '../../judge/classify.ts';
import { readBody, type ReadBody } from '../../wire/read/read-body.ts';
import type { Response } from '../../wire/send/sent.ts';

/** The body of a response that no case is judged by, without its coding. */
export const readResponse = ({ headers, body, bytes }: Response): ReadBody =>
  readBody({ headers: headersByName(headers), bytes: body, whole: bytes });
