import type { NamedCheck } from '../../../../judge/check.ts';
import { tenureResponseForm, tenureValue } from './tenure-answer-form.ts';
import { tenureFalse, tenureTrue } from './tenure-says.ts';
import { tenureOnlyInSuccess, tenureUndetermined, tenureWithheld } from './tenure-withheld.ts';
import { usertraitEndpointPublished, usertraitPath } from './usertrait-endpoint.ts';

/** The named checks of SIM tenure (§2.8, §4.7), by the name a suite uses. */
export const usertraitChecks: Readonly<Record<string, NamedCheck>> = {
  'tenure-answer-form': tenureResponseForm,
  'tenure-false': tenureFalse,
  'tenure-only-in-success': tenureOnlyInSuccess,
  'tenure-true': tenureTrue,
  'tenure-undetermined': tenureUndetermined,
  'tenure-value': tenureValue,
  'tenure-withheld': tenureWithheld,
  'usertrait-endpoint-published': usertraitEndpointPublished,
  'usertrait-path': usertraitPath,
};
