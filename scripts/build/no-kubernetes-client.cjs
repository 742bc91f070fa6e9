// Stands in the bundle for the Kubernetes client of the operator base class. Every method of it that would use one is
// overridden (src/operator/tocsin-operator.ts) and its constructor is not run, so nothing may ever get here. It saves the image
// the client's 1,000 generated classes, which cost memory as soon as they are imported.
class Refused {
  constructor() {
    throw new Error('requests go through the API client only');
  }
}
module.exports = {
  ApiextensionsV1Api: Refused,
  CoreV1Api: Refused,
  KubeConfig: Refused,
  Watch: Refused,
  loadYaml: () => new Refused(),
};
