import { CarrierspecError } from '../../model/problem.ts';

/** Milliseconds of real time for which a carrier may be sending while everything of the run waits: longer than a connection takes to fail. */
export const longestInFlight = 150_000;

/** Watches how long a carrier has been sending while nothing else happened. */
export interface InFlightWatch {
  /** The carrier has sent what it was sending. */
  readonly end: () => void;
  /** The carrier is still sending `inFlight` deliveries; the receiver holds back `held` of them. Throws CarrierspecError after too long. */
  readonly goOn: (inFlight: number, held: number) => void;
}

export function watchInFlight(longest: number = longestInFlight): InFlightWatch {
  let since: number | undefined;
  return {
    end: () => {
      since = undefined;
    },
    goOn: (inFlight, held) => {
      since ??= performance.now();
      if (performance.now() - since < longest) return;
      const message =
        `the carrier's clock cannot be advanced: for ${longest / 1000} s of real time it has said that deliveries are in flight ` +
        `(inFlight: ${inFlight}, expected: ${held}), while everything of the run waited for it. Count a delivery there only until ` +
        `its response has come or its connection has failed`;
      throw new CarrierspecError(message, { code: 'clock-unusable' });
    },
  };
}
