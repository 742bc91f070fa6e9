// Stands in the bundle for the HTTP client of the operator base class: every method of it that would use one is overridden
// (src/operator/tocsin-operator.ts), so nothing may ever get here. It saves the image the client and its dependencies.
const refuse = () => Promise.reject(new Error('requests go through the API client only'));
module.exports = { instance: { request: refuse }, request: refuse };
