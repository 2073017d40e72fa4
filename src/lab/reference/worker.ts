import { workerData } from 'node:worker_threads';
import { serveThread } from '../../carrier/serve-thread.ts';
import { findNearNames, suggestionHint } from '../../lib/suggestion.ts';
import { carrierFaultNames, UnknownFaultError, variantNames } from '../catalogue.ts';
import { createAlteredCarrier, parseAlteredOptions } from './altered-carrier.ts';

/** The message, with a hint where the error has none. */
function explainUnknown({ message, fault }: UnknownFaultError): string {
  if (message !== `there is no fault ${fault}`) return message;
  const names = findNearNames(fault, [...carrierFaultNames(), ...variantNames()]);
  return `${message}; ${suggestionHint(names) ?? 'carrierspec list --kind fault has them'}`;
}

await serveThread(async () => {
  try {
    return await createAlteredCarrier(parseAlteredOptions(workerData));
  } catch (error) {
    // An unknown name is the caller's mistake; any other error is ours and ends the thread.
    if (!(error instanceof UnknownFaultError)) throw error;
    return { refused: explainUnknown(error) };
  }
});
