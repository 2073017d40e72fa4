import type { NotJudged } from '../../interfaces/server-initiated/decode/finding.ts';
import type { Verified } from '../../interfaces/server-initiated/decode/judge-signature.ts';
import type { Recognized } from '../../interfaces/server-initiated/decode/recognize.ts';
import type { Finding } from '../../model/finding.ts';

/** A message, judged; those inside it likewise. */
export interface Decoded {
  readonly found: Recognized;
  /** Rules that were judged, as far as the message shows them. */
  readonly judged: readonly string[];
  readonly findings: readonly Finding[];
  readonly notJudged: readonly NotJudged[];
  readonly signature?: Verified;
  readonly inside: readonly { readonly member: string; readonly decoded: Decoded }[];
}
