import { type Certifiable, checkCertifiable, type Known, type Refusal } from '../../certificate/certifiable.ts';
import type { EndedResult } from '../../certificate/make-manifest.ts';
import { select } from '../../engine/plan/select.ts';
import { recheck } from '../../engine/recheck/recheck.ts';
import { doubledNameIn } from '../../journal/doubled-name.ts';
import { readResult } from '../../journal/read-result.ts';
import { suitesIn } from '../../judge/profiles.ts';
import { sameJson } from '../../lib/json.ts';
import type { Interface } from '../../model/interface.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { InterfaceRef } from '../../model/result.ts';
import type { Suites } from '../../suite/suites.ts';
import { suggestNames, withoutAreas } from '../shared/choose.ts';
import { parseFlags, renderFlags } from '../shared/flags.ts';

/** What signs: the program, and the suites with those that were named as additions. */
export interface Signer extends Pick<Known, 'version' | 'digest' | 'additions'> {
  readonly interface: InterfaceRef & Pick<Interface, 'messages'>;
  readonly suites: Suites;
}

/** Why a result does not follow from its cases by these suites. */
function contradictionIn(result: EndedResult, { suites: all, ...signer }: Signer): string | undefined {
  const { header } = result;
  const { id, version } = signer.interface;
  if (header.interface.id !== id || header.interface.version !== version)
    return `it is of the interface ${header.interface.id} ${header.interface.version}, and its suites are of ${id} ${version}`;
  if (!sameJson(renderFlags(parseFlags(header.flags)), header.flags))
    return `its flags are ${header.flags.join(' ')}, which no run writes like that`;
  if (header.profile !== (parseFlags(header.flags).profile ?? 'interface'))
    return `its profile is ${header.profile}, and its flags are ${header.flags.join(' ') || 'none'}`;
  try {
    const suites = withoutAreas(all, parseFlags(header.flags).without);
    const selected = select(suites, { what: header.selection }, suggestNames);
    const judging = { suites: suitesIn(header.profile, suites), nameable: suitesIn(header.profile, all) };
    return recheck(result, { ...judging, selected, messages: signer.interface.messages });
  } catch (cause) {
    if (!(cause instanceof CarrierspecError)) throw cause;
    return `its suites have not what it says that was selected: ${cause.message}`;
  }
}

/**
 * Reads a result, and judges its rules again from what its cases found. Gives it where it may be certified, or the first reason why
 * not. Throws CarrierspecError where the file is no result.
 */
export function readCertifiable(file: string, signer: Signer): Certifiable | { readonly refused: Refusal } {
  const { suites, ...known } = signer;
  const { result, notes } = readResult(file);
  const checked = checkCertifiable(result, { ...known, digests: suites.digests });
  if ('refused' in checked) return checked;
  const [note] = notes;
  if (note !== undefined)
    return { refused: { code: 'other-version', message: `it is not as this carrierspec writes results: ${note}` } };
  const twice = doubledNameIn(file);
  if (twice !== undefined) {
    const message = `a member stands twice in it, and a reader may take either: ${twice}`;
    return { refused: { code: 'contradiction', message } };
  }
  const wrong = contradictionIn(checked.result, signer);
  if (wrong === undefined) return checked;
  return { refused: { code: 'contradiction', message: `the result contradicts itself: ${wrong}` } };
}
