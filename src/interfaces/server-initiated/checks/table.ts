import { checksByName, type NamedChecks } from '../../../judge/check.ts';
import { keyChecks } from './baseline/keys.ts';
import { requestIdChecks } from './baseline/request-ids.ts';
import { baselineResponseChecks } from './baseline/responses.ts';
import { subChecks } from './baseline/subs.ts';
import { tokenChecks } from './baseline/tokens.ts';
import { bindingChecks } from './key-binding.ts';
import { callbackChecks } from './callback.ts';
import { contextTextChecks, idTokenChecks } from './id-token.ts';
import { discoveryChecks } from './discovery.ts';
import { decidedChecks } from './decision.ts';
import { deliveryChecks, kindChecks, setChecks } from './events/event.ts';
import { eventRunChecks } from './events/run.ts';
import { hintTokenChecks } from './hint-token.ts';
import { outsideChecks } from './outside-values.ts';
import { readableChecks } from './readability.ts';
import { refusalChecks } from './refusal.ts';
import { responseChecks } from './response.ts';
import { resultChecks } from './result.ts';
import { tenureChecks } from './tenure.ts';
import { ageChecks, levelChecks } from './userinfo/profile.ts';
import { documentChecks } from './userinfo/documents.ts';

export const namedChecks: NamedChecks = checksByName([
  ...responseChecks,
  ...readableChecks,
  ...refusalChecks,
  ...callbackChecks,
  ...resultChecks,
  ...decidedChecks,
  ...outsideChecks,
  ...idTokenChecks,
  ...contextTextChecks,
  ...bindingChecks,
  ...hintTokenChecks,
  ...deliveryChecks,
  ...setChecks,
  ...kindChecks,
  ...eventRunChecks,
  ...tenureChecks,
  ...discoveryChecks,
  ...levelChecks,
  ...ageChecks,
  ...documentChecks,
  ...baselineResponseChecks,
  ...requestIdChecks,
  ...tokenChecks,
  ...keyChecks,
  ...subChecks,
]);
