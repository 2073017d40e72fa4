import { faultKind, freedomKind, variantKind } from './carrier.ts';
import { decisionKind, interpretationKind } from './citations.ts';
import { commandKind } from './commands.ts';
import type { Kind } from './kind.ts';
import {
  actionKind,
  clientKind,
  featureKind,
  memberKind,
  oauthErrorKind,
  outcomeKind,
  tagKind,
  tamperKind,
} from './requests.ts';
import { areaKind, caseKind, clauseKind, invariantKind, ruleKind } from './suites.ts';
import { codeKind, limitKind, profileKind } from './words.ts';

/** Everything that a report or a message names, in the order in which a name of several kinds is explained. */
export const kinds: readonly Kind[] = [
  ruleKind,
  caseKind,
  invariantKind,
  areaKind,
  clauseKind,
  interpretationKind,
  decisionKind,
  memberKind,
  oauthErrorKind,
  faultKind,
  variantKind,
  freedomKind,
  actionKind,
  clientKind,
  tagKind,
  featureKind,
  tamperKind,
  outcomeKind,
  limitKind,
  profileKind,
  codeKind,
  commandKind,
];
