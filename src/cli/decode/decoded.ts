import type { NotJudged } from '../../interfaces/server-initiated/decode/judge-message.ts';
import type { Recognized } from '../../interfaces/server-initiated/decode/recognize.ts';
import type { Finding } from '../../model/finding.ts';
import type { Verified } from './input.ts';

/** A message, judged; those inside it likewise. */
export interface Decoded {
  readonly found: Recognized;
  readonly findings: readonly Finding[];
  readonly notJudged: readonly NotJudged[];
  readonly signature?: Verified;
  readonly inside: readonly { readonly member: string; readonly decoded: Decoded }[];
}
