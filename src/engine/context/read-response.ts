import { headersByName } from '../../judge/classify.ts';
import { readBody, type ReadBody } from '../../wire/read/read-body.ts';
import type { WireResponse } from '../../wire/send/send-result.ts';

/** Decodes the body of a response that belongs to no case. */
export const readResponse = ({ headers, body, bytes }: WireResponse): ReadBody =>
  readBody({ headers: headersByName(headers), bytes: body, whole: bytes });
