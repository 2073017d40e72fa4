import type { Setting } from '../../../explore/probe.ts';
import type { JsonObject } from '../../../lib/json.ts';

/** Much of one thing. */
export interface Row {
  readonly title: string;
  readonly setting?: Setting;
  readonly requests: number;
  readonly steps: (prefix: string) => readonly JsonObject[];
}
