/** @type {import('carrierspec').DriverModule} */
export default async ({ request, with: given, input, signal }) => {
  const response = await fetch(`${input.admin}/requests/${request?.body?.auth_req_id}/approve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ scopes: given.scopes }),
    signal,
  });
  // The push is gone: that is no error of the driver.
  if (response.status === 404 || response.status === 409) return { done: false };
  if (!response.ok) throw new Error(`the lab answered ${response.status}`);
  return { note: `approved with ${given.scopes}` };
};
