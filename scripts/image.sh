#!/bin/sh
# Builds the image for amd64 and arm64, with provenance and a list of its parts (SBOM).
#   scripts/image.sh NAME          builds and checks that it can be built
#   scripts/image.sh NAME --push   pushes NAME:VERSION and NAME:latest
set -eu
cd "$(dirname "$0")/.."
name=${1:?Say the name of the image, such as example/form-collection-service}
version=$(node -p 'require("./package.json").version')
exec docker buildx build . \
  --platform linux/amd64,linux/arm64 \
  --provenance=mode=max --sbom=true \
  --label "org.opencontainers.image.revision=$(git rev-parse HEAD)" \
  --tag "$name:$version" --tag "$name:latest" \
  "${2:---output=type=cacheonly}"
