import { choiceKind, faultKind, freedomKind, variantKind } from './carrier.ts';
import { decisionKind, interpretationKind } from './citations.ts';
import { commandKind, exitCodeKind } from './commands.ts';
import type { Kind } from './kind.ts';
import {
  actionKind,
  checkKind,
  clientKind,
  featureKind,
  memberKind,
  oauthErrorKind,
  outcomeKind,
  tagKind,
  tamperKind,
  verbKind,
} from './requests.ts';
import { areaKind, caseKind, clauseKind, familyKind, invariantKind, ruleKind } from './suites.ts';
import { codeKind, levelKind, limitKind, profileKind, resultKind, verdictKind } from './words.ts';

/** Everything that has a name, in the order in which a name of several kinds is explained. */
export const kinds: readonly Kind[] = [
  ruleKind,
  caseKind,
  invariantKind,
  familyKind,
  areaKind,
  clauseKind,
  interpretationKind,
  decisionKind,
  memberKind,
  oauthErrorKind,
  faultKind,
  variantKind,
  freedomKind,
  choiceKind,
  actionKind,
  clientKind,
  tagKind,
  featureKind,
  tamperKind,
  checkKind,
  verbKind,
  outcomeKind,
  verdictKind,
  resultKind,
  levelKind,
  limitKind,
  profileKind,
  codeKind,
  commandKind,
  exitCodeKind,
];
