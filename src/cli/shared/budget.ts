import { CarrierspecError } from '../../model/problem.ts';
import { parseDuration } from '../../suite/duration.ts';

/** `--budget 10m`. Throws where it is no duration. */
export function parseBudget(text: string | undefined): { readonly seconds: number; readonly text: string } | undefined {
  if (text === undefined) return undefined;
  const seconds = parseDuration(text);
  if (seconds !== undefined && seconds > 0) return { seconds, text };
  const message = `--budget: "${text}" is no duration such as 90s, 10m or 1h30m`;
  throw new CarrierspecError(message, { code: 'bad-flag' });
}
